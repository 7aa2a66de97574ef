#!/usr/bin/env python3
"""Reads the package's description and prints the dependencies of a target and the target itself, in build order: `system PATH`
for the folder of a C library's module map, `swift NAME PATH` for a module."""
import json
import sys

targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
printed = set()


def show(name):
    if name in printed:
        return
    printed.add(name)
    target = targets[name]
    for needed in target.get("target_dependencies", []):
        show(needed)
    print("system" if target["type"] == "system-target" else f"swift {name}", target["path"])


show(sys.argv[1])
