"""Command lines of words put together at random: each is refused in one line, or does what it says.

The whole program is run, since it is mostly the command, not the parser, that knows what a word may be.
"""

import random
import re

import pytest

ODD = ["", "-", "--", "-1", "0", "1.5", "nan", "1e400", "99999999999999999999", "0x10", "\udcff", "=", "--x=", "../..", "%n%s",
       "a" * 5000, "x,,y", "[1", "se(", "(((", "none.csv", "none.nc", "yes", "auto", "-5:5", ":", "\n", "ü", "/dev/null"]  # fmt: skip
# A command that needs no arguments would work for seconds each time; an unknown word prevents that.
UNKNOWN_WORD = {"selftest": ["other"]}


@pytest.fixture(scope="module")
def flags(run_in, tmp_path_factory):
    """The flags of each command, from its own help; the commands are taken from the program's help."""
    directory = tmp_path_factory.mktemp("help")
    commands = re.findall(r"^  ([a-z]+) ", run_in(directory, "--help").out.split("Subcommands:")[1], re.M)
    return {name: re.findall(r"^  (?:-h,)?(--[a-z-]+)", run_in(directory, name, "--help").out, re.M) for name in commands}


def test_every_command_takes_part(flags):
    assert {"fit", "reproduce", "selftest"} < flags.keys() and all("--help" in each for each in flags.values())


@pytest.mark.parametrize("seed", range(12))
def test_any_words_end_in_a_known_code_and_at_most_one_line_of_complaint(ridgelet, flags, seed):
    chance = random.Random(seed)
    for _ in range(20):
        command = chance.choice(sorted(flags))
        words = [command]
        for _ in range(chance.randrange(5)):
            flag = chance.choice([each for each in flags[command] if each != "--help"])
            words += chance.choice([[flag], [flag, chance.choice(ODD)], [f"{flag}={chance.choice(ODD)}"], [chance.choice(ODD)]])
        run = ridgelet(*words, *UNKNOWN_WORD.get(command, []), errors="surrogateescape")
        assert run.code in (0, 2, 3), words
        if run.code != 0:
            assert re.fullmatch(r"ridgelet: [^\n]+\n", run.said), (words, run.said)
            assert len(run.said) < 12_000, words
