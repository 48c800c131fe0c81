"""`ridgelet assess`: its report, its numbers, and what they depend on."""

import math

import pytest

PAPER = ("--kernel", "se(amplitude=1, lengthscale=1.5)")
SMALL = (*PAPER, "--units", 60, "--points", 40, "--eval-points", 30, "--replicates", 4)
CONTRACT_KEYS = {
    "operator", "units", "layers", "nodes", "rank", "mrmse", "rmse_mean", "covariance_error", "weight_norm", "mmd2",
    "seconds",
}  # fmt: skip


def numbers(run):
    return {key: value for key, value in run.json.items() if key != "seconds"}


def test_help_of_the_program_lists_its_commands(ridgelet):
    run = ridgelet("--help")
    assert (run.code, run.said) == (0, "")
    for word in ("Usage", "sample", "assess", "--version"):
        assert word in run.out


def test_version_is_one_line(ridgelet):
    run = ridgelet("--version")
    assert (run.code, run.said) == (0, "")
    name, number = run.out.split()
    assert name == "ridgelet"
    assert all(part.isdigit() for part in number.split("."))


def test_the_examples_of_the_help_text_run(run_examples):
    runs = run_examples("assess")
    assert len(runs) >= 1
    for run in runs:
        assert (run.code, run.said) == (0, "")
        assert "largest rmse" in run.out


@pytest.mark.parametrize("option", ["--kernel", "--units", "--sigma-w", "--domain", "--replicates", "--mmd-draws"])
def test_help_names_the_options(ridgelet, option):
    assert option in ridgelet("assess", "--help").out


@pytest.mark.parametrize("activation", ["erf", "gelu", "silu", "softplus", "sine", "cosine", "leaky-relu"])
def test_an_activation_without_psi_approximates_the_process_by_least_squares(ridgelet, activation):
    report = ridgelet("assess", *PAPER, "--activation", activation, "--replicates", 3, "--json").json
    assert report["activation"] == activation
    assert report["mrmse"]["mean"] < 0.02


SPLIT = (
    *PAPER, "--operator", "ridgelet", "--units-from", "independent", "--points", 60, "--replicates", 4,
    "--eval-points", 30, "--split",
)  # fmt: skip


def test_split_says_which_setting_the_error_comes_from(ridgelet):
    few = ridgelet("assess", *SPLIT, "--units", 100, "--json").json
    parts = {key: few["error_split"][key] for key in ("sigma_w", "sigma_b", "nodes", "units")}
    assert few["error_split"]["largest"] == "units" == max(parts, key=parts.get)
    assert parts["units"] < few["error_split"]["total"] * 1.01 <= 1.01 * sum(parts.values())
    many = ridgelet("assess", *SPLIT, "--units", 1600, "--json").json["error_split"]
    assert 0.15 < many["units"] / parts["units"] < 0.4
    assert [many[key] for key in ("sigma_w", "sigma_b", "nodes")] == [parts[key] for key in ("sigma_w", "sigma_b", "nodes")]


@pytest.mark.parametrize(("activation", "sigma_b", "nodes"), [("tanh", 1, 12 * 3 * 4 / 60), ("relu", 4, 12 * 13 * 3 * 16 / 60)])
def test_split_shows_the_terms_of_the_theorem_for_this_activation(ridgelet, activation, sigma_b, nodes):
    bound = ridgelet("assess", *SPLIT, "--units", 400, "--activation", activation, "--json").json["error_bound"]
    units = 12 * 3 * (3 + math.sqrt(math.log(20))) / 20 if activation == "tanh" else 12 * 9 / (0.05 * 20)
    assert bound["delta"] == 0.05
    assert [bound[key] for key in ("sigma_w", "sigma_b", "nodes", "units")] == pytest.approx([1 / 3, sigma_b, nodes, units])


def test_split_reads_as_a_table_and_ends_with_advice(ridgelet):
    lines = ridgelet("assess", *SPLIT, "--units", 100).out.splitlines()
    start = lines.index("Where the error comes from")
    names = [line.split()[0] for line in lines[start + 2 : start + 7]]
    assert names == ["sigma-w", "sigma-b", "nodes", "units", "all"]
    assert lines[-1].startswith("The largest part is that of units: add units")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ({"operator": "least-squares"}, "--split: Theorem 1 is about the ridgelet operator"),
        ({"layers": 2}, "--split: needs one hidden layer, got 2"),
        ({"points": 3000}, "--points: the split takes twice as many nodes"),
    ],
)
def test_split_refuses_what_the_theorem_does_not_cover(ridgelet, flags, complaint):
    model = {"operator": "ridgelet", "points": 60, **flags}
    run = ridgelet("assess", *PAPER, "--split", *(part for name, value in model.items() for part in (f"--{name}", value)))
    assert run.code == 2
    assert run.out == ""
    assert complaint in run.err
    assert run.err.count("\n") == 1


def test_json_has_every_key_of_the_contract_with_sane_values(ridgelet):
    report = ridgelet("assess", *SMALL, "--json").json
    assert CONTRACT_KEYS <= set(report)
    assert report["operator"] == "least-squares"
    assert (report["units"], report["layers"], report["nodes"]) == (60, 1, 40)
    assert 1 <= report["rank"] <= 40
    assert set(report["mrmse"]) == {"mean", "sd", "replicates"}
    assert report["mrmse"]["replicates"] == 4
    assert 0 < report["rmse_mean"] < report["mrmse"]["mean"] < 1
    assert report["mrmse"]["sd"] > 0
    assert 0 < report["covariance_error"] < 1
    assert 0 < report["kriging_floor"] <= report["mrmse"]["mean"]
    assert report["weight_norm"] > 0
    assert set(report["mmd2_given"]) == {"mean", "sd", "replicates"}
    assert 0 < report["mmd2_given"]["mean"] < 1e-3
    assert report["seconds"] > 0
    assert report["mmd2"] is None


def test_nodes_that_are_too_few_are_warned_of_and_those_with_weight_counted(ridgelet):
    few = ("assess", "--kernel", "se(lengthscale=0.3)", "--points", 12, "--units", 60, "--replicates", 1)
    run = ridgelet(*few)
    assert run.err.startswith("warning: 11 nodes with weight, and the kernel asks for ")
    assert run.err.count("\n") == 1
    assert "nodes with weight   11 of 12" in run.out
    quiet = ridgelet(*few, "--json", "--quiet")
    assert quiet.err == run.err
    assert (quiet.json["nodes"], quiet.json["nodes_with_weight"]) == (12, 11)
    assert ridgelet("assess", *SMALL).err == ""


def test_one_replicate_has_no_spread(ridgelet):
    report = ridgelet("assess", *SMALL[:-2], "--replicates", 1, "--json").json
    assert report["mrmse"]["replicates"] == 1
    assert report["mrmse"]["sd"] == 0


def test_mmd_has_a_value_a_null_and_its_draws(ridgelet):
    mmd2 = ridgelet("assess", *SMALL, "--mmd-draws", 200, "--json").json["mmd2"]
    assert set(mmd2) == {"value", "null", "draws"}
    assert mmd2["draws"] == 200
    assert 0 < mmd2["null"] < 0.02
    assert mmd2["value"] < 3 * mmd2["null"]


def test_mmd_of_the_ridgelet_operator_with_few_units_is_far_above_its_null(ridgelet):
    mmd2 = ridgelet("assess", *SMALL, "--operator", "ridgelet", "--mmd-draws", 200, "--json").json["mmd2"]
    assert mmd2["value"] > 10 * mmd2["null"]


def test_least_squares_with_300_units_reaches_the_error_of_the_paper_example(ridgelet):
    report = ridgelet("assess", *PAPER, "--units", 300, "--json").json
    assert report["mrmse"]["mean"] <= 0.002
    assert report["covariance_error"] <= 0.002


def test_the_ridgelet_operator_with_1000_units_has_the_error_of_the_paper_example(ridgelet):
    model = (*PAPER, "--units", 1000, "--operator", "ridgelet", "--units-from", "independent")
    report = ridgelet("assess", *model, "--json").json
    assert report["operator"] == "ridgelet"
    standard_error = report["mrmse"]["sd"] / math.sqrt(20)
    assert abs(report["mrmse"]["mean"] - 1.7) <= 0.05 + 4.5 * standard_error


def test_sobol_units_are_the_default_and_better_than_independent_ones(ridgelet):
    def error(*how):
        model = (*PAPER, "--operator", "ridgelet", "--units", 2048, "--replicates", 5)
        return ridgelet("assess", *model, *how, "--json").json["mrmse"]["mean"]

    assert error() == error("--units-from", "sobol") < 0.75 < error("--units-from", "independent")


@pytest.mark.parametrize(("rule", "nodes"), [(("sobol", "--points", 100), 100), (("data", "--points", 12), 12)])
def test_nodes_can_be_sobol_points_or_chosen_by_the_kernel(ridgelet, rule, nodes):
    report = ridgelet(
        "assess", "--kernel", "se(lengthscale=2)", "--domain=-1:1,-1:1,-1:1", "--sigma-w", 0.5, "--sigma-b", 1.5,
        "--units", 128, "--replicates", 2, "--nodes", *rule, "--json",
    ).json  # fmt: skip
    assert report["nodes"] == nodes
    assert report["kriging_floor"] < report["mrmse"]["mean"] < 0.3


def test_more_units_mean_a_smaller_error(ridgelet):
    errors = [
        ridgelet("assess", *PAPER, "--units", units, "--json", "--replicates", 5).json["mrmse"]["mean"]
        for units in (30, 100, 300)
    ]
    assert errors[0] > 2 * errors[1] > 4 * errors[2]


@pytest.mark.parametrize("operator", ["ridgelet", "least-squares"])
def test_the_numbers_depend_on_neither_threads_nor_repetition(ridgelet, operator):
    model = ("assess", *SMALL, "--operator", operator, "--mmd-draws", 20, "--seed", 3, "--json")
    first = numbers(ridgelet(*model, "--threads", 1))
    assert numbers(ridgelet(*model, "--threads", 2)) == first
    assert numbers(ridgelet(*model, "--threads", 1)) == first
    assert numbers(ridgelet(*model)) == first


def test_another_seed_gives_other_numbers(ridgelet):
    first = numbers(ridgelet("assess", *SMALL, "--seed", 1, "--json"))
    second = numbers(ridgelet("assess", *SMALL, "--seed", 2, "--json"))
    assert first["mrmse"]["mean"] != second["mrmse"]["mean"]
    assert first["kriging_floor"] == second["kriging_floor"]


@pytest.mark.parametrize(
    "settings",
    [
        ("--activation", "relu"),
        ("--activation", "sigmoid"),
        ("--activation", "gaussian"),
        ("--density", "logistic"),
        ("--order", 6),
        ("--margin", 0),
        ("--units-from", "independent"),
        ("--sigma-w", 1),
        ("--sigma-b", 5),
        ("--domain", "0:3"),
        ("--mean", "sin(x)"),
    ],
    ids=lambda settings: " ".join(map(str, settings)),
)
def test_every_model_setting_has_an_effect(ridgelet, settings):
    model = ("assess", *SMALL, "--operator", "ridgelet", "--json")
    plain, changed = numbers(ridgelet(*model)), numbers(ridgelet(*model, *settings))
    assert plain["rmse_mean"] != changed["rmse_mean"]
    assert changed["rmse_mean"] > 0


def test_two_inputs_are_assessed_on_the_grid_of_both(ridgelet):
    report = ridgelet(
        "assess", "--kernel", "se(lengthscale=[2, 4])", "--domain=-2:2,0:3", "--points", 12, "--units", 200,
        "--sigma-w", 1, "--sigma-b", 3, "--replicates", 2, "--json",
    ).json  # fmt: skip
    assert report["nodes"] == 144
    assert report["mrmse"]["mean"] < 0.1


def test_quiet_prints_nothing(ridgelet):
    run = ridgelet("assess", *SMALL, "--quiet")
    assert (run.code, run.out, run.err) == (0, "", "")


def test_the_report_for_people_has_the_numbers_of_the_json(ridgelet):
    run = ridgelet("assess", *SMALL)
    report = ridgelet("assess", *SMALL, "--json").json
    assert (run.code, run.said) == (0, "")
    for value in (report["mrmse"]["mean"], report["rmse_mean"], report["weight_norm"]):
        assert f"{value:.3g}" in run.out
    assert report["kernel"] in run.out
    assert "process against process" not in run.out


def test_assess_writes_no_file(ridgelet):
    assert list(ridgelet("assess", *SMALL).directory.iterdir()) == []
