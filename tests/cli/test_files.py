"""Which files a command may write: never one that it reads, and through links to where they lead."""

import os

import pytest

KERNEL = ("--kernel", "se(lengthscale=1.5)")
SMALL = (*KERNEL, "--units", 20, "--points", 15)
MODEL = 'kernel = "se(lengthscale=1.5)"\nunits = 20\npoints = 15\n'
RUN = ("--chains", 2, "--warmup", 2, "--draws", 4, "--quiet")
BAD_INPUT, IO_TROUBLE = 2, 3


@pytest.fixture
def files(fitted, wave, write_table, tmp_path):
    """Every kind of input, and other names for them; the content of each."""
    write_table(tmp_path / "data.csv", wave)
    (tmp_path / "m.toml").write_text(MODEL)
    (tmp_path / "m.svg").write_text(MODEL)
    (tmp_path / "model.nc").write_bytes(fitted.model.read_bytes())
    for name in ("data.csv", "m.toml", "model.nc"):
        (tmp_path / f"link-{name}").symlink_to(name)
        os.link(tmp_path / name, tmp_path / f"twin-{name}")
    (tmp_path / "folder").symlink_to(".")
    return {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}


def fit(*options):
    return ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1, *options, *RUN)


@pytest.mark.parametrize(
    ("command", "flag", "read"),
    [
        (fit("--model", "m.toml", "--out", "m.toml"), "--out", "m.toml"),
        (fit("--model", "m.toml", "--out", "link-m.toml"), "--out", "m.toml"),
        (fit("--model", "link-m.toml", "--out", "m.toml"), "--out", "link-m.toml"),
        (fit("--model", "m.toml", "--out", "twin-m.toml"), "--out", "m.toml"),
        (fit("--model", "m.toml", "--out", "./folder/m.toml"), "--out", "m.toml"),
        (fit(*SMALL, "--out", "data.csv"), "--out", "data.csv"),
        (fit(*SMALL, "--out", "link-data.csv"), "--out", "data.csv"),
        (("sample", "--model", "m.toml", "--out", "m.toml"), "--out", "m.toml"),
        (("sample", "--model", "m.svg", "--out", "paths.csv", "--plot", "m.svg"), "--plot", "m.svg"),
        (("predict", "model.nc", "data.csv", "--out", "model.nc"), "--out", "model.nc"),
        (("predict", "model.nc", "data.csv", "--out", "link-data.csv"), "--out", "data.csv"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_file_that_is_read_is_not_written(files, ridgelet, tmp_path, command, flag, read):
    run = ridgelet(*command)
    assert (run.code, run.out) == (BAD_INPUT, "")
    assert run.err == f"ridgelet: {flag}: must not be '{read}', which is read\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == files


def test_the_checkpoint_does_not_take_the_place_of_the_table(wave, write_table, ridgelet, tmp_path):
    write_table(tmp_path / "model.nc.checkpoint", wave)
    before = (tmp_path / "model.nc.checkpoint").read_bytes()
    run = ridgelet("fit", "model.nc.checkpoint", "--hidden", "sampled", "--x", "x", "--y", "y", "--noise", 0.1, *SMALL, *RUN)
    assert (run.code, run.err) == (BAD_INPUT, "ridgelet: --out: must not be 'model.nc.checkpoint', which is read\n")
    assert (tmp_path / "model.nc.checkpoint").read_bytes() == before


@pytest.mark.parametrize(
    ("out", "read", "command"),
    [
        ("z.nc", "z.nc.partial", ("fit", "z.nc.partial", "--y", "y", "--noise", 0.1, *SMALL)),
        ("z.nc.checkpoint", "z.nc.checkpoint.partial", ("fit", "z.nc.checkpoint.partial", "--y", "y", "--noise", 0.1, *SMALL)),
        ("z.csv", "z.csv.partial", ("predict", "model.nc", "z.csv.partial")),
        ("z.csv", "z.csv.partial", ("predict", "z.csv.partial", "data.csv")),
        ("z.svg", "z.svg.partial", ("plot", "z.svg.partial")),
        ("z.c", "z.c.partial", ("export", "z.c.partial", "--to", "c")),
        ("z.toml", "z.toml.partial", ("learn", "z.toml.partial", "--y", "y")),
        ("z.csv", "z.csv.partial", ("sample", "--model", "z.csv.partial")),
        ("z.toml", "z.toml.partial", ("tune", "--model", "z.toml.partial", "--error", 0.2)),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else value,
)
def test_a_file_that_is_read_is_not_the_one_beside_the_output_either(files, ridgelet, tmp_path, out, read, command):
    (tmp_path / read).write_bytes(files["data.csv"])
    run = ridgelet(*command, "--out", out.removesuffix(".checkpoint"))
    assert (run.code, run.out) == (BAD_INPUT, "")
    words = f"--out: must not be '{out}', which is first written as '{read}', and that is read; choose another name\n"
    assert run.err == f"ridgelet: {words}"
    assert (tmp_path / read).read_bytes() == files["data.csv"]


def test_an_output_is_not_the_file_beside_another(ridgelet, tmp_path):
    for out, plot, flag in (("p", "p.partial.svg", None), ("p.svg.partial", "p.svg", "--plot"), ("./p.svg.partial", "p.svg", "--plot")):
        run = ridgelet("sample", *SMALL, "--out", out, "--plot", plot, "--quiet")
        assert run.code == (BAD_INPUT if flag else 0), run.err
        assert not flag or f"ridgelet: {flag}: must not be 'p.svg', which is first written as '{out}', and that is --out" in run.err
    assert {path.name for path in tmp_path.iterdir()} == {"p", "p.partial.svg"}


def test_a_file_of_somebody_elses_beside_the_output_stays(files, ridgelet, tmp_path):
    theirs = tmp_path / "u.csv.partial"
    theirs.write_text("notes\n")
    words = "cannot write 'u.csv': it is first written as 'u.csv.partial', and that is there and not a file of ridgelet's"
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "u.csv")
    assert (run.code, run.out, run.err.count("\n")) == (IO_TROUBLE, "", 1) and words in run.err
    assert theirs.read_text() == "notes\n"
    theirs.unlink()
    os.mkfifo(theirs)
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "u.csv")
    assert run.code == IO_TROUBLE and words in run.err
    assert theirs.is_fifo() and not (tmp_path / "u.csv").exists()


@pytest.mark.parametrize("hidden", ["fixed", "sampled"])
def test_a_checkpoint_of_somebody_elses_stays(files, ridgelet, tmp_path, hidden):
    theirs = tmp_path / "u.nc.checkpoint"
    theirs.write_text("notes\n")
    run = ridgelet("fit", "data.csv", "--hidden", hidden, "--y", "y", "--noise", 0.1, *SMALL, "--out", "u.nc",
                   *(RUN if hidden == "sampled" else ("--quiet",)))  # fmt: skip
    assert theirs.read_text() == "notes\n"
    if hidden == "fixed":
        assert (run.code, run.said) == (0, "")
    else:
        assert (run.code, run.out, run.err.count("\n")) == (IO_TROUBLE, "", 1)
        assert "cannot write 'u.nc.checkpoint': it is there and not a checkpoint of ridgelet's; move it away" in run.err
        assert not (tmp_path / "u.nc").exists()


@pytest.mark.parametrize("link", [None, "p.svg", "./p.svg"])
def test_table_and_figure_are_two_files(ridgelet, tmp_path, link):
    if link:
        (tmp_path / "other.svg").symlink_to(link)
    out = "other.svg" if link else "p.svg"
    run = ridgelet("sample", *SMALL, "--out", out, "--plot", "p.svg")
    assert (run.code, run.err) == (BAD_INPUT, "ridgelet: --plot: must be another file than --out, got 'p.svg'\n")
    assert not (tmp_path / "p.svg").exists()


@pytest.mark.parametrize("exists", [True, False])
def test_through_a_link_the_file_is_written_that_it_leads_to(ridgelet, tmp_path, exists):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "paths.csv"
    if exists:
        target.write_text("older\n")
    (tmp_path / "second").symlink_to("folder/paths.csv")
    (tmp_path / "first").symlink_to(tmp_path / "second")
    run = ridgelet("sample", *SMALL, "--draws", 1, "--eval-points", 3, "--out", "first")
    assert (run.code, run.said) == (0, "")
    assert (tmp_path / "first").is_symlink() and (tmp_path / "second").is_symlink()
    assert target.read_text().startswith("x1,network_1,gp_1\n")
    assert [path.name for path in target.parent.iterdir()] == ["paths.csv"]


@pytest.mark.parametrize(
    "command",
    [fit(*KERNEL, "--points", 3000), ("sample", *SMALL, "--draws", 100000), ("predict", "model.nc", "data.csv")],
    ids=lambda command: command[0],
)
def test_links_in_a_circle_are_noticed_before_any_work_and_named(files, ridgelet, tmp_path, command):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    before = sorted(tmp_path.iterdir())
    run = ridgelet(*command, "--out", "one")
    assert (run.code, run.out) == (IO_TROUBLE, "")
    assert run.err == "ridgelet: cannot write 'one': its symbolic links lead in a circle, or there are too many\n"
    assert sorted(tmp_path.iterdir()) == before


def test_a_link_into_a_directory_that_does_not_exist_is_named(ridgelet, tmp_path):
    (tmp_path / "link").symlink_to("none/paths.csv")
    run = ridgelet("sample", *SMALL, "--out", "link")
    assert (run.code, run.err) == (IO_TROUBLE, "ridgelet: cannot write 'link': No such file or directory\n")
