"""Calls as part of a Python program: Ctrl-C, other threads, forked children, and objects that were never made."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import ridgelet as rl

# Calls that take many seconds or minutes, each in pieces.
LONG = {
    "error_split": "rl.error_split(prior, nodes, X, replicates=10**6)",
    "covariance": "wide.covariance(Z, X)",
    "mean": "wide.mean(Z)",
    "rmse": "wide.rmse(Z)",
    "likelihood": "wide.log_marginal_likelihood(Z, Z[:, 0], 0.1)",
    "network": "network(Z)",
    "exact prediction": "exact.predict(T, T[:, 0], 0.1, T)",
    "exact likelihood": "exact.log_marginal_likelihood(T, T[:, 0], 0.1)",
    "exact likelihood of little noise": "exact.log_marginal_likelihood(T[:4000], T[:4000, 0], 1e-6)",
    "exact draws": "exact.sample(T[:6000], draws=1000)",
}
SETTING = """
import os, signal, sys, threading, time
import numpy as np
import ridgelet as rl
nodes = rl.grid(half_width=6, points_per_axis=200, support=5)
prior = rl.Prior("se()", nodes=nodes, units=300, operator="ridgelet")
X = np.linspace(-5, 5, 50)[:, None]
Z = np.linspace(-5, 5, 20000)[:, None]
broad = rl.Prior("matern12()", nodes=nodes, units=100000, operator="ridgelet")
wide = broad.given(*broad.draw_hidden(seed=0))
network = broad.sample(seed=0)
Z = np.tile(Z, (4, 1))
exact = rl.GaussianProcess("matern12()")
T = np.linspace(-5, 5, 8000)[:, None]
"""


def run_python(program, *arguments):
    """Runs the text and returns what it printed; it must succeed within five minutes and print no error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments], capture_output=True, text=True, timeout=300, check=False
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize("call", LONG)
def test_an_interruption_ends_a_long_call_within_a_second(call):
    program = f"""
        def interrupt():
            time.sleep(1)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        sent = []
        threading.Thread(target=interrupt).start()
        try:
            {LONG[call]}
            print("not interrupted")
        except KeyboardInterrupt:
            print(time.monotonic() - sent[0])
        assert prior.sample(seed=1)(X).shape == (50,)  # and work goes on
    """
    assert float(run_python(SETTING + textwrap.dedent(program))) < 1


def test_a_handler_of_the_program_s_own_may_let_the_call_go_on():
    program = """
        import os, signal, threading, numpy as np, ridgelet as rl
        caught = []
        signal.signal(signal.SIGUSR1, lambda number, frame: caught.append(number))
        prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=100, support=5), units=300, operator="ridgelet")
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        split = rl.error_split(prior, rl.grid(half_width=6, points_per_axis=200, support=5), np.zeros((1, 1)), replicates=3000)
        print(caught == [signal.SIGUSR1], split["total"] > 0)
    """
    assert run_python(program) == "True True\n"


def test_other_threads_of_python_go_on_during_a_long_call():
    program = """
        counted, done = [0], []
        def count():
            while not done:
                counted[0] += 1
                time.sleep(0.001)
        other = threading.Thread(target=count)
        other.start()
        before = counted[0]
        rl.error_split(prior, nodes, X, replicates=1000)
        during = counted[0] - before
        done.append(True)
        other.join()
        print(during)
    """
    # If the call held the lock, the other thread could count at most once, at the beginning.
    assert int(run_python(SETTING + textwrap.dedent(program))) > 5


def test_threads_of_python_may_share_an_object(prior):
    X = np.linspace(-5, 5, 200)[:, None]
    given = prior.given(*prior.draw_hidden(seed=0))
    expected, results = given.covariance(X), []
    threads = [threading.Thread(target=lambda: results.append(given.covariance(X))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_a_forked_child_predicts_by_a_fit_of_its_parent():
    program = """
        import multiprocessing, pickle
        fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1)
        def work(_):
            return float(pickle.loads(pickle.dumps(fitted)).predict(X)[0].sum() + fitted.covariance(X).sum())
        expected = work(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map_async(work, range(4)).get(timeout=100) == [expected] * 4)
    """
    setting = SETTING[: SETTING.index("broad")]
    assert run_python(setting + textwrap.dedent(program)) == "True\n"


def test_a_forked_child_works_after_calls_in_its_parent():
    program = """
        import multiprocessing
        def work(seed):
            return float(prior.sample(seed=seed)(X).sum() + prior.given(*prior.draw_hidden(seed=seed)).rmse(X).sum())
        expected = [work(seed) for seed in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map_async(work, range(4)).get(timeout=100) == expected)
        print(work(0) == expected[0])
    """
    assert run_python(SETTING + textwrap.dedent(program)) == "True\nTrue\n"


UNMADE = {
    "Prior": ["rank", "units", "kernel", "nodes", "__repr__()", "__getstate__()", "draw_hidden(0)", "sample()", "given([[1.0]], [1.0])"],
    "GivenHidden": ["W", "b", "operator()", "mean([[1.0]])", "covariance([[1.0]])", "rmse([[1.0]])", "weights()",
                    "draw_weights(0)", "log_density([1.0])", "predict([[1.0]], [1.0], 1, [[1.0]])",
                    "log_marginal_likelihood([[1.0]], [1.0], 1)"],
    "Network": ["W", "b", "output_weights", "activation", "__call__([[1.0]])"],
    "Nodes": ["points", "weights", "__len__()"],
    "Kernel": ["__call__([[1.0]])", "__str__()", "__repr__()", "__hash__()", "__add__(rl.kernel('se()'))", "__getstate__()"],
    "GaussianProcess": ["kernel", "mean", "sample([[1.0]])", "predict([[1.0]], [1.0], 1, [[1.0]])"],
    "ActivationPair": ["name", "dimension", "order", "constant", "admissibility", "assumptions", "phi(1.0)", "psi(1.0)"],
    "Fitted": ["predict([[1.0]])", "interval([[1.0]])", "network_of_draws(3)", "responses", "kernel", "noise", "report",
               "save('none.nc')", "score([[1.0]], [1.0])", "covariance([[1.0]])", "error([[1.0]])", "outside([[1.0]])", "inputs", "__repr__()", "__getstate__()"],
    "Assumptions": ["bounded", "schwartz", "admissible", "integrable"],
    "Activation": ["name", "phi(1.0)", "derivative(1.0)", "__repr__()", "__getstate__()"],
    "PredictiveNetwork": ["activation", "inputs", "rank", "functions([[1.0]])", "__call__([[1.0]])", "to_numpy()", "export('none.onnx')"],
}  # fmt: skip


def test_every_class_is_among_those_that_are_tried_before_they_are_made():
    bound = {name for name, value in vars(rl).items() if type(value) is type(rl.Kernel) and name[0] != "_"}
    assert bound == set(UNMADE)


@pytest.mark.parametrize("name", UNMADE)
def test_an_object_that_was_never_made_is_a_type_error(name):
    program = f"""
        import ridgelet as rl
        for use in {UNMADE[name]}:
            try:
                eval("rl.{name}.__new__(rl.{name})." + use)
                print(use, "worked")
            except TypeError:
                pass
    """
    assert run_python(program) == ""


@pytest.mark.parametrize(
    "use",
    ["rl.Prior(rl.Kernel.__new__(rl.Kernel), nodes=rl.grid(6, 10))",
     "rl.Prior('se()', nodes=rl.Nodes.__new__(rl.Nodes))",
     "rl.kernel('se()') + rl.Kernel.__new__(rl.Kernel)",
     "rl.GaussianProcess(rl.Kernel.__new__(rl.Kernel))",
     "rl.error_split(rl.Prior.__new__(rl.Prior), rl.grid(6, 10), [[1.0]])"],
)  # fmt: skip
def test_an_argument_that_was_never_made_is_refused(use):
    program = f"import ridgelet as rl\ntry:\n    {use}\nexcept (TypeError, ValueError):\n    print('refused')\n"
    assert run_python(program) == "refused\n"


def test_errors_keep_their_type_from_the_thread_that_found_them(given):
    with pytest.raises(ValueError, match="^noise: must be positive"):
        given.log_marginal_likelihood([[1.0]], [1.0], -1)


@pytest.mark.parametrize("call", ["kernel", "sample", "predict", "likelihood"])
def test_work_beyond_memory_is_refused_with_the_numbers(call):
    X = np.zeros((10**6, 1))
    process = rl.GaussianProcess("se()")
    calls = {
        "kernel": lambda: process.kernel(X),
        "sample": lambda: process.sample(X),
        "predict": lambda: process.predict(X, X[:, 0], 0.1, X),
        "likelihood": lambda: process.log_marginal_likelihood(X, X[:, 0], 0.1),
    }
    with pytest.raises(ValueError, match="^X1?: .* would take .* TB; .* of memory are available"):
        calls[call]()


def test_a_limit_of_addresses_without_room_for_blas_is_a_memory_error():
    program = """
        import resource, numpy as np, ridgelet as rl
        process, X = rl.GaussianProcess("se()"), np.linspace(0, 1, 5)[:, None]
        with open("/proc/self/statm") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + (100 << 20), resource.RLIM_INFINITY))
        try:
            process.predict(X, X[:, 0], 0.1, X)
        except MemoryError as error:
            print(error)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(process.predict(X, X[:, 0], 0.1, X)[0].shape)
    """
    refused, shape = run_python(program).splitlines()
    assert refused.startswith("OpenBLAS takes ") and "ulimit -v" in refused
    assert shape == "(5,)"
