"""Tables whose responses are classes, counts or numbers."""


def write_rows(path, header, rows):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")


def cells(run, name):
    assert run.code == 0, run.err
    header, *lines = (run.directory / name).read_text().splitlines()
    return header.split(","), [line.split(",") for line in lines]
