#!/usr/bin/env python3
"""Compares the codec with Python's plistlib: on files, and on random mutants of them.

    Tests/Fuzzing/differential.py [--mutants N] [--seed N] FOLDER…

Run `swift build` first. Exits with 1 if both read a file as different values, if a file crashed the codec, or if the codec read a
file that plistlib refuses for an unknown reason. Files that only plistlib reads are counted by cause: plistlib keeps the last of two
equal keys, accepts trailers that contradict the file, and more (see the article on hostile input).
"""
import argparse
import base64
import collections
import datetime
import json
import math
import os
import pathlib
import plistlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build" / "debug" / "watchlink"
# The number of files per run of the program; a run that dies is repeated file by file.
BATCH = 200
LONGEST = 1 << 20


def inspect(names):
    """Returns an answer per file: a dictionary with “value” or “error”; None if the process died."""
    run = subprocess.run([PROGRAM, "inspect", "--json", *names, os.devnull], capture_output=True, timeout=600)
    if run.returncode in (0, 1):
        return [json.loads(line) for line in run.stdout.decode().split("\n") if line][:len(names)]
    return [None] if len(names) == 1 else [answer for name in names for answer in inspect([name])]


def same(ours, theirs):
    """Compares JSON of the codec with the value that plistlib read."""
    if isinstance(theirs, bool) or theirs is None:
        return ours is theirs
    if isinstance(theirs, plistlib.UID):
        return ours == {"$uid": theirs.data}
    if isinstance(theirs, int):
        return ours == (theirs if theirs < 1 << 63 else str(theirs)) and not isinstance(ours, bool)
    if isinstance(theirs, float):
        if math.isfinite(theirs):
            return not isinstance(ours, bool) and isinstance(ours, (int, float)) and ours == theirs
        text = ours.get("$real", "") if isinstance(ours, dict) else ""
        return math.isnan(theirs) if "nan" in text else text == ("inf" if theirs > 0 else "-inf")
    if isinstance(theirs, datetime.datetime):
        # Both round to seconds, in different ways. Before 1583 Foundation prints dates of the Julian calendar.
        shown = ours.get("$date") if isinstance(ours, dict) else None
        if shown is None or theirs.year < 1583:
            return shown is not None
        return abs(datetime.datetime.fromisoformat(shown[:19]) - theirs) <= datetime.timedelta(seconds=1)
    if isinstance(theirs, bytes):
        return ours == {"$data": base64.b64encode(theirs).decode()}
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in theirs)
    return ours == theirs


def holds_set(data):
    """Returns True if an object of a file is a set."""
    width, count, table = data[-26], int.from_bytes(data[-24:-16], "big"), int.from_bytes(data[-8:], "big")
    offsets = (int.from_bytes(data[table + n * width:table + (n + 1) * width], "big") for n in range(count))
    return any(data[offset] >> 4 == 0xC for offset in offsets if offset < len(data))


def known(data, error):
    """Returns the known reason why only the codec can read a file; None if there is none."""
    # plistlib wraps the original error.
    cause = error.__context__
    if isinstance(cause, UnicodeDecodeError):
        return "UTF-8 in a text marked as ASCII"
    if isinstance(cause, (OverflowError, ValueError)) and not isinstance(cause, plistlib.InvalidFileException):
        return "a date outside the years 1 to 9999"
    if isinstance(error, RecursionError):
        return "nested deeper than Python allows"
    if holds_set(data):
        return "a set"
    return None


def mutate(random, data):
    """Returns a file with a few bytes changed, mostly structural ones."""
    bytes_ = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        kind = random.randrange(6)
        place = random.randrange(len(bytes_))
        if kind == 0:
            bytes_[place] = random.randrange(256)
        elif kind == 1:
            bytes_[place] ^= 1 << random.randrange(8)
        elif kind == 2:
            # In the offset table or the trailer.
            bytes_[-1 - random.randrange(min(len(bytes_), 40))] = random.randrange(256)
        elif kind == 3:
            bytes_[place] = random.choice((0x00, 0x08, 0x0F, 0x10, 0x13, 0x14, 0x22, 0x33, 0x4F, 0x5F, 0x6F, 0x80, 0xA1, 0xAF, 0xD1, 0xDF))
        elif kind == 4:
            other = random.randrange(len(bytes_))
            bytes_[place], bytes_[other] = bytes_[other], bytes_[place]
        else:
            length = random.randrange(1, 9)
            other = random.randrange(len(bytes_))
            bytes_[place:place + length] = bytes_[other:other + length]
    return bytes(bytes_)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=0, help="the number of mutants of the files to compare as well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    files = sorted(path for folder in arguments.folders for path in folder.rglob("*")
                   if path.is_file() and path.open("rb").read(6) == b"bplist" and path.stat().st_size <= LONGEST)
    small = [path for path in files if path.stat().st_size <= 8192]
    tally, failures = collections.Counter(), []

    def compare(names):
        for name, answer in zip(names, inspect(names)):
            data = pathlib.Path(name).read_bytes()
            try:
                theirs, refused = plistlib.loads(data, fmt=plistlib.FMT_BINARY), None
            except Exception as error:
                theirs, refused = None, error
            if answer is None:
                verdict = "crashed the process"
            elif "value" in answer and refused is None:
                verdict = "read by both, the same" if same(answer["value"], theirs) else "READ DIFFERENTLY"
            elif "value" in answer:
                reason = known(data, refused)
                verdict = f"read by the codec only: {reason}" if reason else f"READ BY THE CODEC ONLY: {refused!r} {refused.__context__!r}"
            elif "expands to" in answer["error"]:
                verdict = "expands to too much to compare"
            elif refused is None:
                cause = answer["error"].split(": ", 1)[1]
                verdict = "read by plistlib only: " + cause.split(" at byte")[0].split(" under “")[0].split(":")[0]
            else:
                verdict = "refused by both"
            tally[verdict] += 1
            if verdict[:4].isupper() or answer is None:
                kept = ROOT / ".build" / "fuzzing" / "differential"
                kept.mkdir(parents=True, exist_ok=True)
                target = kept / f"{len(failures):04}-{pathlib.Path(name).name}"
                target.write_bytes(data)
                failures.append(f"{target}: {verdict}")

    names = [str(path) for path in files]
    for start in range(0, len(names), BATCH):
        compare(names[start:start + BATCH])
    with tempfile.TemporaryDirectory() as scratch:
        for start in range(0, arguments.mutants, BATCH):
            batch = []
            for number in range(start, min(start + BATCH, arguments.mutants)):
                path = pathlib.Path(scratch) / f"mutant-{number}"
                path.write_bytes(mutate(chance, chance.choice(small).read_bytes()))
                batch.append(str(path))
            compare(batch)
            for name in batch:
                os.unlink(name)
            print(f"\r{start + len(batch)} of {arguments.mutants} mutants", end="", file=sys.stderr)
    print(file=sys.stderr)
    for verdict, count in sorted(tally.items(), key=lambda item: -item[1]):
        print(f"{count:8}  {verdict}")
    print(*failures[:50], sep="\n")
    return 1 if failures else 0


sys.exit(main())
