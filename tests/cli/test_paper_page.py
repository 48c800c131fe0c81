"""docs/paper.md: a section, a command and a small picture for each figure that `reproduce` makes."""

import os
import pathlib
import re

import pytest

DOCS = pathlib.Path(os.environ["RIDGELET_SOURCE"]) / "docs"
PAGE = (DOCS / "paper.md").read_text()
LARGEST_PICTURE = 150_000


def test_every_figure_has_its_command_and_its_picture(ridgelet):
    names = [entry["name"] for entry in ridgelet("reproduce", "--list", "--json").json]
    assert len(names) == 15
    for name in names:
        assert f"    ridgelet reproduce {name} --out " in PAGE
        assert f"(figures/{name}.png)" in PAGE


def test_every_command_of_the_page_names_a_figure(ridgelet):
    names = {entry["name"] for entry in ridgelet("reproduce", "--list", "--json").json}
    assert set(re.findall(r"^    ridgelet reproduce ([a-z]\S*)", PAGE, re.M)) == names


@pytest.mark.parametrize("picture", sorted(set(re.findall(r"\((figures/[^)]+)\)", PAGE))))
def test_every_picture_is_there_and_small(picture):
    content = (DOCS / picture).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(content) <= LARGEST_PICTURE
