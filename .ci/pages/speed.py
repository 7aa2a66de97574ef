"""Compares the medians of several rounds of `watchlink-bench --json` with stored ratios, or stores them.

    speed.py STORED true|false ROUND…
"""

import json
import os
import pathlib
import platform
import statistics
import sys

# How much worse than the stored ratio a median may be. A tenth: medians of five rounds repeat within that on an idle machine.
TOLERANCE = 0.10
SKIPPED = 77


def ratios(files):
    """The medians of the ratios, as “how many times as good as the reference”: more is better for all of them."""
    values = {}
    for file in files:
        for report in json.loads(pathlib.Path(file).read_text()):
            for row in report["rows"]:
                if row.get("ratio"):
                    better = row["ratio"] if row["unit"] == "/s" else 1 / row["ratio"]
                    values.setdefault(f"{report['title']}: {row['name']}", []).append(better)
    return {name: statistics.median(each) for name, each in values.items()}


def main(stored, write, *files):
    stored, now = pathlib.Path(stored), ratios(files)
    machine = f"{platform.machine()}, {os.cpu_count()} processors"
    known = json.loads(stored.read_text()) if stored.exists() else {}
    if write == "true":
        known[machine] = {name: float(f"{value:.3g}") for name, value in sorted(now.items())}
        stored.write_text(json.dumps(known, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
        return
    if machine not in known:
        print(f"{stored} has no ratios for {machine}: .ci/speed --write measures them, on an idle machine", file=sys.stderr)
        sys.exit(SKIPPED)
    failed = [name for name in known[machine] if name not in now]
    for name in failed:
        print(f"no longer measured: {name}", file=sys.stderr)
    for name, value in sorted(now.items()):
        former = known[machine].get(name)
        change = value / former - 1 if former else 0
        mark = "slower" if change < -TOLERANCE else "faster" if change > TOLERANCE else ""
        print(f"{value:8.3g} {f'{former:8.3g}' if former else '     new'} {change:+7.1%} {mark:6} {name}")
        if mark == "slower":
            failed.append(name)
    if failed:
        sys.exit(f"{len(failed)} ratios are worse by more than {TOLERANCE:.0%}, or no longer measured; if that is meant: .ci/speed --write, and a line in the change log")


main(*sys.argv[1:])
