"""selftest: the short ladder of correctness, on the machine at hand."""

import re
import resource

import pytest


def test_every_truth_holds_and_is_named(ridgelet):
    report = ridgelet("selftest", "--json").json
    assert report["passed"] and report["failed"] == 0
    names = [rung["name"] for rung in report["rungs"]]
    assert names[0] == "doubles" and names[-1] == "coverage" and len(set(names)) == len(names) >= 20
    for rung in report["rungs"]:
        assert rung["passed"] and rung["error"] <= rung["tolerance"] and rung["compares"], rung
        assert rung["unit"] in ("relative", "standard errors")


def test_prints_a_line_a_truth(ridgelet):
    run = ridgelet("selftest", "--seed", 5)
    assert (run.code, run.err) == (0, "")
    header, *rungs, end = run.out.splitlines()
    assert header.split() == ["error", "allowed"]
    assert all(re.search(r"\S +[-+.e\d]+ +[-+.e\d]+  holds   \S", line) for line in rungs), run.out
    assert re.fullmatch(rf"{len(rungs)} of {len(rungs)} truths hold on this machine \(\d+ s\)", end)


def test_a_truth_that_does_not_hold_is_shown_and_ends_in_code_1(ridgelet):
    run = ridgelet("selftest", "--tighten", 1e9)
    assert run.code == 1
    failed = [line for line in run.out.splitlines() if "  FAILS   " in line]
    assert any(line.startswith("kernel slopes") for line in failed)
    assert run.err == f"ridgelet: {len(failed)} of {len(run.out.splitlines()) - 2} truths do not hold\n"


def test_refuses_a_tolerance_that_is_none(ridgelet):
    run = ridgelet("selftest", "--tighten", 0)
    assert (run.code, run.err) == (2, "ridgelet: --tighten: must be positive, got '0'\n")


@pytest.mark.parametrize("megabytes", [150, 180])
def test_too_little_memory_is_no_untruth(ridgelet, megabytes):
    limit = megabytes << 20
    run = ridgelet("selftest", "--threads", 1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert (run.code, run.err.count("\n")) == (2, 1), run.err
    assert "FAILS" not in run.out and "(ulimit -v)" in run.err
