"""Renews the numbers of a Markdown page: what stands between <!-- rmse --> and <!-- /rmse -->, and so on."""

import re

from regression_study.report import SECTIONS


class NoPlace(Exception):
    """The page has no place for some of the numbers."""


def renew(path, results):
    content = path.read_text()
    for name, (_, make) in SECTIONS.items():
        content, places = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
            lambda match, made=make(results): f"{match[1]}\n{made}\n\n{match[2]}",
            content,
            flags=re.DOTALL,
        )
        if places != 1:
            raise NoPlace(f"{path} must have one place from <!-- {name} --> to <!-- /{name} -->, it has {places}")
    path.write_text(content)
