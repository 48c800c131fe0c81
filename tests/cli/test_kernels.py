"""`ridgelet kernels`: the kernels of the registry with which expressions are read."""

NAMES = ["se", "rq", "periodic", "matern12", "matern32", "matern52", "linear", "constant", "white", "cosine", "outer"]


def test_lists_every_kernel_with_formula_parameters_and_use(ridgelet):
    listed = ridgelet("kernels", "--json").json
    assert [each["name"] for each in listed] == NAMES
    for each in listed:
        assert each["formula"] and each["parameters"] and each["use"], each["name"]
    text = ridgelet("kernels").out
    assert "rq(amplitude=1, lengthscale=1, alpha=1, active)\n  a^2 (1 + r^2 / (2 alpha))^-alpha\n" in text
    assert all(f"{name}(" in text for name in NAMES)


def test_what_it_lists_can_be_used(ridgelet):
    for each in ridgelet("kernels", "--json").json:
        if each["name"] == "outer":
            continue
        kernel = f"{each['name']}({each['parameters'].replace(', active', '')})"
        run = ridgelet("sample", "--kernel", kernel, "--draws", 1, "--units", 20, "--out", "paths.csv")
        assert run.code == 0, run.err


def test_refuses_words_after_it(ridgelet):
    run = ridgelet("kernels", "se")
    assert (run.code, run.err) == (2, "ridgelet: unknown argument 'se' of kernels; `ridgelet kernels --help` says what it takes\n")
