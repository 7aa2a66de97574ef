"""Writes the site's pages that are made from the programs and their measurements.

    generate.py FOLDER MANUALS [FIGURES COMMIT]

MANUALS is a folder with the output of `watchlink man NAME` in NAME.roff; FIGURES is the output of `watchlink-bench --json`,
measured at COMMIT.
"""

import datetime
import json
import pathlib
import re
import sys

import manual

NOT_MEASURED = """# Figures

How fast WatchLink is beside bare sockets, SQLite and Foundation's archiver.

## Overview

This copy of the site was made without measuring; `.ci/site --measure` makes it with figures of the machine that it runs on. The article
<doc:/WatchLinkServices/Benchmarks> has those of a former commit.
"""


def text(words):
    """Plain words as Markdown: what looks like markup stays what it is."""
    words = re.sub(r"([\\*_`<>\[\]|#])", r"\\\1", words)
    # Two hyphens would become a dash.
    return re.sub(r"(?<!\w)(--[a-z-]+)", r"`\1`", words.replace("\n", " "))


def code(words):
    """Words as code, also within a table."""
    return "`" + words.replace("|", "\\|") + "`"


def page(title, abstract, lines):
    return "\n".join([f"# {title}", "", abstract, "", *lines]) + "\n"


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows), ""]


def events(roff):
    lines = ["## Overview", ""]
    for block in roff:
        if block.kind == "heading" and block.text.startswith("SUBSYSTEM "):
            break
        if block.kind == "paragraph" and "\\-" not in block.text and not block.text.startswith("watchlink-events"):
            lines += [text(block.text), ""]
    for heading in [block.text for block in roff if block.kind == "heading" and block.text.startswith("SUBSYSTEM ")]:
        lines += [f"## {heading.removeprefix('SUBSYSTEM ').capitalize()}", ""]
        rows = []
        for block in manual.section(roff, heading):
            name, level = block.term.rsplit(" (", 1)
            rows.append([code(name), level.rstrip(")"), text(block.text)])
        lines += table(["event", "level", "meaning"], rows)
    return page("Events of the logs", "Every line that the services log, with its level and meaning, as the code has them.", lines)


def settings(roff):
    lines = ["## Overview", ""]
    lines += [word for block in manual.section(roff, "DESCRIPTION") for word in (text(block.text), "")]
    groups = {}
    for block in manual.section(roff, "SETTINGS"):
        key, form = block.term.split(": ", 1)
        groups.setdefault(key.split(".")[0], []).append([code(key), text(form), text(block.text)])
    for name, rows in groups.items():
        lines += [f"## {name.capitalize()}", "", *table(["setting", "value", "meaning"], rows)]
    return page("Settings", "Every setting of both services' configuration files, with its default, as the code has them.", lines)


def definitions(blocks):
    """Items as a table, examples as code and the rest as text."""
    lines, rows = [], []
    for block in blocks + [manual.Block("end", "")]:
        if block.kind == "item":
            rows.append([code(block.term), text(block.text)])
            continue
        if rows:
            lines += table(["form or option", "meaning"], rows)
            rows = []
        if block.kind == "paragraph":
            lines += [text(block.text), ""]
        elif block.kind == "example":
            lines += ["```", block.text, "```", ""]
        elif block.kind == "subheading":
            lines += [f"### {block.text}", ""]
    return lines


def commands(roff):
    lines = ["## Overview", ""]
    lines += [word for block in manual.section(roff, "DESCRIPTION") for word in (text(block.text), "")]
    lines += ["## Commands", "", *definitions(manual.section(roff, "COMMANDS"))]
    lines += ["## Options of every command", "", *definitions(manual.section(roff, "OPTIONS"))]
    lines += ["## Exit codes", ""]
    lines += table(["code", "meaning"], [[code(b.term), text(b.text)] for b in manual.section(roff, "EXIT STATUS")])
    lines += ["## Environment", "", *definitions(manual.section(roff, "ENVIRONMENT"))]
    return page("Commands and exit codes", "Every command of `watchlink`, with its options, examples and exit codes, as the code has them.", lines)


def measured(value, unit):
    """A value with a unit that suits its size, in three digits."""
    scales = {
        "s": [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
        "B": [(1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")],
        "/s": [(1, "/s")],
        "": [(1, "")],
    }[unit]
    scale, name = next(((scale, name) for scale, name in scales if abs(value) >= scale), scales[-1])
    number = float(f"{value / scale:.3g}")
    shown = f"{number:,.0f}" if abs(number) >= 100 or number == int(number) else f"{number:g}"
    return shown + (name if name.startswith("/") else f" {name}" if name else "")


def figures(reports, commit, day):
    lines = [
        "## Overview", "",
        f"Measured by `watchlink-bench` at commit `{commit}` on {day}. Every measurement alternates with a reference in the same run, so compare ratios: the machine is a",
        "shared one. <doc:/WatchLinkServices/Benchmarks> explains what is measured, and how to measure it on yours.", "",
        "![A chart of the ratios to the references](figures)", "",
    ]
    for report in reports:
        lines += [f"## {text(report['title'])}", ""]
        rows = []
        for row in report["rows"]:
            reference = row.get("reference")
            rows.append([
                text(row["name"]), measured(row["value"], row["unit"]),
                f"{text(reference['name'])} {measured(reference['value'], row['unit'])}" if reference else "",
                f"{row['ratio']:.2g}" if "ratio" in row else "",
            ])
        lines += table(["", "ours", "reference", "ratio"], rows)
    return page("Figures", "How fast WatchLink is beside bare sockets, SQLite and Foundation's archiver.", lines)


def main(folder, manuals, measurements=None, commit=None):
    def roff(name):
        return manual.blocks((pathlib.Path(manuals) / f"{name}.roff").read_text())

    pages = {
        "Figures": NOT_MEASURED,
        "EventReference": events(roff("watchlink-events")),
        "SettingsReference": settings(roff("watchlink.json5")),
        "CommandReference": commands(roff("watchlink")),
    }
    if measurements:
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        pages["Figures"] = figures(json.loads(pathlib.Path(measurements).read_text()), commit, day)
    for name, content in pages.items():
        (pathlib.Path(folder) / f"{name}.md").write_text(content)


main(*sys.argv[1:])
