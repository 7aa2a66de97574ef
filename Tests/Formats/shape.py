"""Prints the shape of a folder of formats: what a reader of another version has to know, without the values.

    shape.py FOLDER

One line for each key of a kind of package, for each table, index, trigger and version of a database, for each kind of file, and for each setting.
"""

import json
import pathlib
import plistlib
import re
import sqlite3
import struct
import sys


def describe(value, objects=None):
    """The kind of a value, with the names of classes and the keys of dictionaries."""
    if isinstance(value, plistlib.UID):
        return describe(objects[value.data], objects)
    if isinstance(value, dict):
        if "$class" in value:
            name = objects[value["$class"].data]["$classname"]
            if "NS.keys" in value:
                keys = [objects[each.data] for each in value["NS.keys"]]
                return f"{name}({', '.join(sorted(map(str, keys)))})"
            return name if name.startswith("NS") else f"{name}({', '.join(sorted(key for key in value if key != '$class'))})"
        return f"dictionary({', '.join(sorted(value))})"
    return type(value).__name__


def archive(data, place):
    """The lines of a keyed archive or a property list, and of those within."""
    content = plistlib.loads(data)
    if not isinstance(content, dict) or "$objects" not in content:
        yield f"{place}: {describe(content)}"
        return
    objects = content["$objects"]
    for value in objects:
        if isinstance(value, dict) and "$class" in value:
            name = describe(value, objects)
            yield f"{place}: {name}"
            for key, field in value.items():
                if key != "$class" and not key.startswith("NS."):
                    yield f"{place}: {name.split('(')[0]}.{key}: {describe(field, objects)}"
        inner = value.get("NS.data") if isinstance(value, dict) else value
        if isinstance(inner, bytes) and inner.startswith(b"bplist00"):
            yield from archive(inner, f"{place}, within")


def frames(file):
    stream, place, pieces = file.read_bytes(), 0, {}
    while place < len(stream):
        head, = struct.unpack_from(">I", stream, place)
        kind, length = head >> 24 & 0x7F, head & 0xFFFFFF
        body, place = stream[place + 4:place + 4 + length], place + 4 + length
        # What is sent in pieces, and when bytes are acknowledged, depends on the time.
        if kind == 2:
            continue
        if kind == 1:
            number, whole, _ = struct.unpack_from(">III", body)
            pieces[number] = pieces.get(number, b"") + body[12:]
            if len(pieces[number]) < whole:
                continue
            body = pieces.pop(number)
        content = plistlib.loads(body)
        root = content["$objects"][content["$top"]["root"].data]
        command, status = (content["$objects"][root[key].data] for key in ("command", "status"))
        yield from archive(body, f"frame {command} {status}")


def database(file, name):
    connection = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    yield f"{name}: user_version {connection.execute('PRAGMA user_version').fetchone()[0]}"
    for kind, table, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        yield f"{name}: {kind} {table}: " + " ".join((sql or "").split())


def settings(file, name):
    """Each setting that a configuration names, also in a comment."""
    stack = []
    for line in file.read_text().splitlines():
        words = re.sub(r"^\s*// (?=\w+: )", "", line).split("//")[0]
        for key, rest in re.findall(r"(\w+):\s*([{]?)", re.sub(r'"[^"]*"', '""', words)):
            yield f"{name}: {'.'.join([each for each in stack if each] + [key])}"
            if rest:
                stack.append(key)
        closed = words.count("}") - words.count("{") + len(re.findall(r"\w+:\s*{", words))
        for _ in range(closed):
            if stack:
                stack.pop()


def cassette(file, name):
    """The properties of each kind of event, and the kinds of values in contents."""
    if file.suffix == ".json":
        yield from (f"{name}: {key}" for key in json.loads(file.read_text()))
        return
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        yield f"{name}: {' '.join(sorted(entry))} {entry.get('k', '')}"
        yield from (f"{name}: {kind}" for kind in values(entry.get("v")))


def values(content):
    if isinstance(content, dict):
        for key, value in content.items():
            if key.startswith("~"):
                yield key
            yield from values(value)
    elif isinstance(content, list):
        for value in content:
            yield from values(value)
    elif isinstance(content, str):
        yield re.split("[~=]", content)[0]


def main(folder):
    folder, lines = pathlib.Path(folder), set()
    for file in folder.rglob("*"):
        name = str(file.relative_to(folder))
        if file.suffix == ".frames":
            lines.update(frames(file))
        elif file.suffix == ".sqlite":
            lines.update(database(file, name))
        elif file.suffix == ".json5":
            lines.update(settings(file, name))
        elif file.is_file() and name.startswith("cassettes/"):
            lines.update(cassette(file, re.sub("^cassettes/[^/]*/(accepted-[^/]*)?.*?([^/]*)$", r"cassette \1 \2", name)))
        elif file.is_file():
            lines.add(f"file {name}: {file.stat().st_size} bytes")
    print("\n".join(sorted(lines)))


main(*sys.argv[1:])
