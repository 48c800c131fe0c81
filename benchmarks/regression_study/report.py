"""The tables of a run, as Markdown that can also be read as plain text."""

from regression_study import means, targets
from regression_study.data import LARGE, SETS, SPLITS
from regression_study.models import MODELS, RIVALS

NOT_RUN = "Not run yet."


def one_line(line):
    """What a run prints when a result is known."""
    density = f", log density {line['log_density']:.3f}" if "log_density" in line else ""
    return (
        f"{line['set']} split {line['split']} {line['model']}: RMSE {line['rmse']:.4g}{density}, "
        f"{line['processor_seconds']:.1f} processor s, {line['wall_seconds']:.1f} s"
    )


def table(header, rows):
    """A Markdown table with its columns aligned."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    cells.insert(1, ["-" * width for width in widths])
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    return "\n".join(f"| {' | '.join(row)} |" for row in padded)


def measure_table(measure, unit=1):
    """A function from results to the table of one measure: a row for each set, a column for each model that has it."""

    def make(results):
        cells = {(n, m): means.over_splits(results, n, m, measure, unit) for n in SETS for m in MODELS}
        columns = [m for m in MODELS if m != "ridgelet-learn" and any(cells[n, m] for n in SETS)]
        rows = [[n, *(cells[n, m] or "" for m in columns)] for n in SETS if any(cells[n, m] for m in columns)]
        return table(["set", *columns], rows) if rows else NOT_RUN

    return make


def target_table(results):
    rows = []
    for name in SETS:
        checks = [check(results, name) for check in targets.COLUMNS.values()]
        if any(checks):
            rows.append([name, *(check or "not run" for check in checks)])
    if not rows:
        return NOT_RUN
    low, high = (f"{100 * bound:.0f}" for bound in targets.COVERAGE)
    held = f"Coverage of ours (from {low} to {high} %): {targets.coverage(results)}."
    return table(["set", *targets.COLUMNS], rows) + "\n\n" + held


BETTER = {
    "rmse": "a smaller RMSE",
    "log_density": "a higher log density",
    "processor_seconds": "fewer processor seconds",
}


def loss(results, name, rival, measure):
    """By how much a rival is better, where that is more than two standard errors; otherwise None."""
    mine = "ridgelet-all" if name in LARGE and rival != "process" else "ridgelet"
    ours, theirs = means.pairs(results, name, mine, rival, measure)
    if len(ours) < 2:
        return None
    gain = means.mean(theirs - ours if measure == "log_density" else ours - theirs)
    if gain.value <= 2 * gain.error:
        return None
    if measure == "log_density":
        return f"{rival} by {gain}"
    return f"{rival}, {means.mean(theirs / ours)} times ours"


def losses(results):
    """Where rivals beat ours: one item for each set and measure."""
    items = []
    for name in SETS:
        for measure, words in BETTER.items():
            found = [loss(results, name, rival, measure) for rival in RIVALS]
            if any(found):
                items.append(f"- {name}, {words}: " + "; ".join(filter(None, found)))
    if items:
        return "\n".join(items)
    return "Nowhere." if any(results.of(name, "ridgelet") for name in SETS) else NOT_RUN


def unfinished(results):
    """Models that have been run, but not on all splits of all sets that they are for, and on how many they have."""
    found = []
    for model, traits in MODELS.items():
        counts = {name: len(results.of(name, model)) for name in SETS if name in LARGE or not traits.least_rows}
        if any(counts.values()):
            found += [f"{model} on {name} ({count})" for name, count in counts.items() if count < SPLITS]
    return found


def conditions(results):
    """Versions and threads, and which numbers rest on fewer splits than the others."""
    lines = [line for line in results.lines() if line["model"] in RIVALS]
    if not lines:
        return NOT_RUN

    def values(key, of=lines):
        return " and ".join(sorted({str(line[key]) for line in of}))

    threads = values("threads")
    text = (
        f"scikit-learn {values('scikit_learn')}, NumPy {values('numpy')}, SciPy {values('scipy')}; "
        f"{values('cores')} cores, rivals on {threads} thread{'' if threads == '1' else 's'}."
    )
    ours = [line for line in results.lines() if "code" in line]
    if ours:
        text += f" Ours is of commit {values('code', ours)}."
    few = unfinished(results)
    return text + (f" Fewer than {SPLITS} splits: {', '.join(few)}." if few else f" All of {SPLITS} splits.")


SECTIONS = {
    "conditions": ("Conditions", conditions),
    "targets": ("Ours beside the exact process, on the same rows", target_table),
    "rmse": ("RMSE", measure_table("rmse")),
    "log-density": ("Mean log predictive density", measure_table("log_density")),
    "coverage": ("Coverage of the 95 % interval, in %", measure_table("coverage", unit=0.01)),
    "processor-seconds": ("Processor seconds", measure_table("processor_seconds")),
    "wall-seconds": ("Wall seconds", measure_table("wall_seconds")),
    "losses": ("Where rivals are better by more than two standard errors", losses),
}


def text(results):
    return "\n\n".join(f"{title}\n\n{make(results)}" for title, make in SECTIONS.values())
