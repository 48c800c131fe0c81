"""Renews the numbers of a Markdown page: what stands between <!-- rmse --> and <!-- /rmse -->, and so on."""

import re


class NoPlace(Exception):
    """The page has no place for some of the numbers."""


def renew(path, texts):
    """`texts` has what belongs between each pair of marks, by their name."""
    content = path.read_text()
    for name, text in texts.items():
        content, places = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
            lambda match, made=text: f"{match[1]}\n{made}\n\n{match[2]}",
            content,
            flags=re.DOTALL,
        )
        if places != 1:
            raise NoPlace(f"{path} must have one place from <!-- {name} --> to <!-- /{name} -->, it has {places}")
    path.write_text(content)
