"""Prints what others rely on by name, one line each: exit codes, commands and their options, settings, events and their fields, metrics,
fields of the journal, methods of the control sockets, environment variables, keys of JSON output, and the words that peers send and databases
and cassettes store.

    interface.py MANUALS

MANUALS is a folder with the output of `watchlink man NAME` in NAME.roff. What explains the names is left out, so that a better explanation is no change.
"""

import pathlib
import re
import sys

import manual


# The modules whose enumerations of words are sent or stored.
STORED = ["Sources/Link/LinkProtocol", "Sources/Records", "Sources/Device/SessionStorage", "Sources/Ground/Cassettes"]


# The modules that print JSON, or answer with it.
PRINTED = ["Sources/Device/DeviceControl", "Sources/Programs", "Sources/Trials/Trials", "Sources/Trials/watchlink-explore", "Sources/Trials/watchlink-scenario"]


def keys(path):
    """The keys of a file's literals of dictionaries, which are those of its JSON."""
    for line in path.read_text().splitlines():
        if not line.lstrip().startswith(("case ", "//")):
            for literal, assigned in re.findall(r'(?<![\w"\\])"([a-z]\w*)": |\["([a-z]\w*)"\] = ', line):
                yield f"JSON key {literal or assigned}"


def words(path):
    """The raw values of a file's enumerations of words."""
    owner = indent = None
    for line in path.read_text().splitlines():
        opened = re.match(r"( *)(?:\w+ )*enum (\w+): String\b", line)
        if opened:
            indent, owner = opened[1], opened[2]
        elif owner and line == indent + "}":
            owner = None
        elif owner and line.startswith(indent + "    case ") and not line.rstrip().endswith(":"):
            for name, raw in re.findall(r'(\w+)(?: = "([^"]*)")?(?:,|$)', line.split("case ", 1)[1]):
                yield f"word {path.stem}, {owner}: {raw or name}"


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
    for name, kind in re.findall(r'LogField\("(\w+)", \.(\w+)\(', pathlib.Path("Sources/Ground/EventLog/LogField.swift").read_text()):
        yield f"event field {name}: {kind}"
    for folder in STORED:
        for path in pathlib.Path(folder).rglob("*.swift"):
            yield from words(path)
    for folder in PRINTED:
        for path in pathlib.Path(folder).rglob("*.swift"):
            yield from keys(path)
    for path in [*pathlib.Path("Sources").rglob("*.swift"), *pathlib.Path("Sources").rglob("*.h")]:
        text = path.read_text()
        for name in re.findall(r'"(WATCHLINK_[A-Z_]+)"', text):
            yield f"{'journal field' if path.stem == 'JournalEntry' else 'environment variable'} {name}"
        if "Methods" in path.stem:
            for alternatives in re.findall(r'^ *case ("[a-z]+(?:\.[a-zA-Z]+)?"(?:, "[a-z]+(?:\.[a-zA-Z]+)?")*):', text, re.M):
                for name in re.findall(r'"([\w.]+)"', alternatives):
                    yield f"control method {name}"
        for cases in re.findall(r"enum Method: String \{\n(.*?)\n    \}", text, re.S):
            for name, raw in re.findall(r'case (\w+)(?: = "([^"]*)")?', cases):
                yield f"control method {raw or name}"
        for kind, name in re.findall(r'\.(counter|gauge|histogram)\(\s*"(watchlink_[^"]*)"', text):
            name = name.replace("\\(name)", "NAME").replace("\\(plural)", "NAMES")
            yield f"metric {name}: {kind}"


print("\n".join(sorted(set(names(*sys.argv[1:])))))
