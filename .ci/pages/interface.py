"""Prints what others rely on by name, one line each: exit codes, commands and their options, settings, events and metrics.

    interface.py MANUALS

MANUALS is a folder with the output of `watchlink man NAME` in NAME.roff. What explains the names is left out, so that a better explanation is no change.
"""

import pathlib
import re
import sys

import manual


def names(manuals):
    def page(name):
        return manual.blocks((pathlib.Path(manuals) / f"{name}.roff").read_text())

    commands = page("watchlink")
    for block in manual.section(commands, "EXIT STATUS"):
        yield f"exit code {block.term}: {block.text}"
    # The texts have their numbers in words: the numbers themselves are in the code.
    for name, number in re.findall(r"case (\w+) = (\d+)", pathlib.Path("Sources/Ground/Processes/ExitCode.swift").read_text()):
        yield f"exit code {number} is {name}"
    for block in manual.section(commands, "OPTIONS"):
        yield f"option of every command: {block.term}"
    command = ""
    for block in manual.section(commands, "COMMANDS"):
        if block.kind == "subheading":
            command = block.text
            yield f"command {command}"
        elif block.kind == "item":
            yield f"command {command}: {block.term.removeprefix('watchlink ')}"
    for service in ("watchlink-host", "watchlink-companion"):
        for block in manual.section(page(service), "OPTIONS"):
            yield f"option of {service}: {block.term}"
    for block in manual.section(page("watchlink.json5"), "SETTINGS"):
        default = re.search(r" Default: (.*?)\.(?: |$)", block.text)
        yield f"setting {block.term}" + (f", default {default[1]}" if default else "") + (", on reload" if block.text.endswith(" Reload.") else "")
    events = page("watchlink-events")
    for heading in [block.text for block in events if block.text.startswith("SUBSYSTEM ")]:
        for block in manual.section(events, heading):
            yield f"event {heading.split()[1].lower()}: {block.term}"
    for path in pathlib.Path("Sources").rglob("*.swift"):
        for kind, name in re.findall(r'\.(counter|gauge|histogram)\(\s*"(watchlink_[^"]*)"', path.read_text()):
            name = name.replace("\\(name)", "NAME").replace("\\(plural)", "NAMES")
            yield f"metric {name}: {kind}"


print("\n".join(sorted(set(names(*sys.argv[1:])))))
