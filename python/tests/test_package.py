"""The package as a person meets it: documentation, stubs, errors of wrong calls, and pickled objects."""

import ast
import doctest
import inspect
import os
import pathlib
import pickle
import pydoc
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import ridgelet as rl
from ridgelet import sklearn_kernels

X = np.linspace(-3, 3, 20)[:, None]
Y = np.sin(X[:, 0])
CLASSES = [getattr(rl, name) for name in rl.__all__ if isinstance(getattr(rl, name), type)]
ESTIMATORS = [rl.RidgeletRegressor, rl.RidgeletClassifier]
FUNCTIONS = [getattr(rl, name) for name in rl.__all__ if not isinstance(getattr(rl, name), type)]


def methods_of(cls):
    """Public methods, the constructor and what a call does."""
    own = ("__init__", "__call__")
    return {name: value for name, value in vars(cls).items() if inspect.isfunction(value) and (name[0] != "_" or name in own)}


def documented():
    """Everything that has documentation of its own, by name."""
    named = {"ridgelet": rl.__doc__}
    for thing in [*CLASSES, *FUNCTIONS]:
        named[thing.__name__] = thing.__doc__
    for cls in CLASSES:
        named |= {f"{cls.__name__}.{name}": method.__doc__ for name, method in methods_of(cls).items() if name != "__init__"}
    return named


@pytest.fixture
def names(tmp_path):
    """The names that the examples may use."""
    prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=40, support=5), units=60)
    fitted = rl.fit(X, Y, kernel="se()", noise=0.1)
    given = prior.given(*prior.draw_hidden(seed=1))
    return {"np": np, "rl": rl, "X": X, "y": Y, "prior": prior, "fitted": fitted, "given": given, "folder": str(tmp_path)}


@pytest.mark.parametrize("name", documented())
def test_everything_has_an_example_that_works(name, names):
    text = documented()[name]
    examples = doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)
    assert examples.examples
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert not said, "".join(said)


def test_examples_of_translated_kernels_work():
    attempted = doctest.testmod(sklearn_kernels)
    assert attempted.failed == 0 and attempted.attempted > 0


def test_help_is_a_page_that_names_everything_by_purpose():
    page = pydoc.plain(pydoc.render_doc(rl))
    summary = page[: page.index("PACKAGE CONTENTS")]
    for name in rl.__all__:
        assert name in summary, name
    assert "class RidgeletRegressor" in page and "class RidgeletClassifier" in page
    assert "object at 0x" not in page and "incompatible" not in page


def stub():
    path = pathlib.Path(os.environ["RIDGELET_SOURCE"]) / "python/ridgelet/__init__.pyi"
    return ast.parse(path.read_text()).body


def parameters_of(definition):
    arguments = definition.args
    defaults = [inspect.Parameter.empty] * (len(arguments.args) - len(arguments.defaults))
    defaults += [ast.literal_eval(each) for each in arguments.defaults]
    pairs = [(each.arg, default) for each, default in zip(arguments.args, defaults, strict=True)]
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        pairs.append((each.arg, inspect.Parameter.empty if default is None else ast.literal_eval(default)))
    return pairs


def real_parameters_of(function):
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [(each.name, each.default) for each in parameters if each.kind not in variable]


def test_the_stubs_are_the_functions_that_there_are():
    stubs = {each.name: parameters_of(each) for each in stub() if isinstance(each, ast.FunctionDef)}
    assert stubs == {each.__name__: real_parameters_of(each) for each in FUNCTIONS}


def properties_of(cls):
    return {name: value for name, value in vars(cls).items() if isinstance(value, property)}


def test_every_property_says_what_it_is():
    for cls in CLASSES:
        assert not [name for name, value in properties_of(cls).items() if not value.__doc__], cls


def test_a_star_takes_all_that_there_is():
    program = """
        import sys
        {hide}
        from ridgelet import *
        print("RidgeletRegressor" in globals(), "fit" in globals(), "plot" in globals(), "matplotlib" in sys.modules)
    """
    for hide, expected in (("", "True True False False"), ("sys.modules['sklearn'] = None", "False True False False")):
        text = textwrap.dedent(program.format(hide=hide))
        assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.strip() == expected


def test_pictures_are_there_when_they_are_asked_for():
    program = """
        import sys, ridgelet as rl
        assert "plot" in dir(rl) and "matplotlib" not in sys.modules and "sklearn" not in sys.modules
        print(rl.plot.__name__)
        del sys.modules["ridgelet.plot"], rl.plot
        sys.modules["matplotlib"] = None
        try:
            rl.plot
        except ImportError as missing:
            print(missing)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ridgelet.plot", "ridgelet.plot needs matplotlib (Debian: python3-matplotlib)"]


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls not in (rl.IoError, *ESTIMATORS)], ids=lambda cls: cls.__name__)
def test_the_stubs_are_the_methods_and_properties_that_there_are(cls):
    (body,) = (each.body for each in stub() if isinstance(each, ast.ClassDef) and each.name == cls.__name__)
    definitions = [each for each in body if isinstance(each, ast.FunctionDef)]
    properties = {each.name for each in definitions if each.decorator_list}
    assert properties == properties_of(cls).keys()
    stubs = {each.name: parameters_of(each) for each in definitions if not each.decorator_list}
    real = {name: real_parameters_of(method) for name, method in methods_of(cls).items()}
    assert {name: stubs.get(name) for name in real} == real
    assert all(name in real or name.startswith("__") for name in stubs)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("rl.fit(X, Y, kernl='se()')", r"fit() has no argument 'kernl'; did you mean 'kernel'?"),
        ("rl.fit(X, Y, netwoks=2)", r"fit() has no argument 'netwoks'; did you mean 'networks'?"),
        ("rl.learn(X, Y, sed=2)", r"learn() has no argument 'sed'; did you mean 'seed'?"),
        ("rl.grid(half_with=6, points_per_axis=3)", r"grid() has no argument 'half_with'; did you mean 'half_width'?"),
        ("rl.Prior('se()', nodes=rl.grid(6, 9), unts=3)", r"Prior() has no argument 'unts'; did you mean 'units'?"),
        ("rl.Prior('se()')", r"Prior(): missing a required argument: 'nodes'"),
        ("rl.Prior('se()', nodes=rl.grid(6, 9), units='many')",
         r"Prior() cannot take arguments of these types: kernel: str, nodes: Nodes, units: str"),
        ("rl.GaussianProcess('se()').sample(X, drws=3)",
         r"GaussianProcess.sample() has no argument 'drws'; did you mean 'draws'?"),
        ("rl.kernel('se()')(X, x2=X)", r"Kernel.__call__() has no argument 'x2'; it has X1, X2"),
        ("rl.kernel()", r"kernel(): missing a required argument: 'text'"),
        ("rl.fit(X, Y, kernel='se()', seed='a')",
         r"fit() cannot take arguments of these types: X: ndarray, y: ndarray, seed: str, kernel: str"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_named_in_one_line(call, complaint):
    with pytest.raises(TypeError) as wrong:
        eval(call)
    assert str(wrong.value) == complaint


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_cannot_be_is_refused_by_name(seed, names):
    for call in (lambda: rl.fit(X, Y, seed=seed, kernel="se()"), lambda: names["prior"].draw_hidden(seed),
                 lambda: names["fitted"].functions(X, seed=seed)):  # fmt: skip
        with pytest.raises(ValueError) as wrong:
            call()
        assert str(wrong.value) == f"seed: must be from 0 to 2^64 - 1, got {seed}"


def test_every_object_says_what_it_is_and_travels(names):
    prior, given = names["prior"], names["given"]
    deep = rl.Prior("se()", nodes=prior.nodes, units=12, layers=2, mean="0.3*x", sigma_w=[2.0], skip=True)
    things = [prior, given, names["fitted"], names["fitted"].network, prior.sample(seed=1), deep, deep.sample(seed=1), prior.nodes, prior.kernel,
              deep.given(*deep.draw_hidden(seed=2)), rl.GaussianProcess("rq()", mean="x"), rl.Activation("gelu"),
              rl.ActivationPair("tanh", dimension=3), rl.ActivationPair("tanh").assumptions,
              rl.RidgeletRegressor("se()"), rl.RidgeletClassifier("se()")]  # fmt: skip
    assert {type(thing) for thing in things} == set(CLASSES) - {rl.IoError}
    for thing in things:
        copy = pickle.loads(pickle.dumps(thing))
        assert repr(copy) == repr(thing) and type(thing).__name__.lower() in repr(thing).lower()
    for net in (prior.sample(seed=1), deep.sample(seed=1)):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(net))(X), net(X))
    for each in (given, deep.given(*deep.draw_hidden(seed=2))):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(each)).covariance(X), each.covariance(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(deep)).sample(seed=4)(X), deep.sample(seed=4)(X))


def test_a_prior_shows_what_it_was_made_of():
    nodes = rl.grid(half_width=4, points_per_axis=9, dimension=2)
    made_of = {"kernel": rl.kernel("rq()"), "mean": "x1", "activation": "erf", "units": 7, "layers": 2,
               "operator": "least-squares", "sigma_w": [1.0, 2.0], "sigma_b": 5.0, "ridge": 1e-4, "order": None,
               "density": "logistic", "layer_scale": 0.5, "layer_bias": 0.25, "skip": True, "units_from": "sobol"}  # fmt: skip
    prior = rl.Prior(nodes=nodes, **made_of)
    assert {name: getattr(prior, name) for name in made_of} == made_of
    np.testing.assert_array_equal(prior.nodes.points, nodes.points)
    assert rl.Prior("se()", nodes=nodes, sigma_w=2.5).sigma_w == 2.5


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_what_the_pages_say_in_python_works(page, tmp_path, monkeypatch):
    text = (pathlib.Path(os.environ["RIDGELET_SOURCE"]) / page).read_text()
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) >= 2
    exec("\n".join(blocks), {})


def test_the_version_is_that_of_the_project():
    text = (pathlib.Path(os.environ["RIDGELET_SOURCE"]) / "CMakeLists.txt").read_text()
    assert f"VERSION {rl.__version__} " in text
