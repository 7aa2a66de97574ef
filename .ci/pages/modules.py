"""Prints each module that the site describes, and its catalogue of articles if it has one, from `swift package dump-package`.

These are the Swift modules of the public libraries, what these export in turn, and every module with a catalogue. Module names are sorted, so that the site is the same every time.
"""

import json
import pathlib
import re
import sys

package = json.load(sys.stdin)
paths = {target["name"]: pathlib.Path(target.get("path") or "") for target in package["targets"]}
wanted = {name for product in package["products"] if "library" in product["type"] for name in product["targets"]}
wanted |= {path.parent.name for path in pathlib.Path("Sources").rglob("*.docc")}
for name in sorted(wanted):
    for source in paths[name].rglob("Exports.swift"):
        wanted |= set(re.findall(r"@_exported public import (\w+)", source.read_text())) & set(paths)
for name in sorted(wanted):
    # The modules of C have no symbols of Swift, and those with an underscore are imported by the compiler only.
    if name.startswith("_") or not any(paths[name].rglob("*.swift")):
        continue
    catalog = next(paths[name].glob("*.docc"), None)
    print(name, catalog or "")
