"""Completes a merged site: its root leads to the first page, every page leads there, and the navigator stays small.

    finish.py SITE BASE MOST SYMBOLS

Fails if a public symbol in a graph of SYMBOLS has no documentation, or if a browser loads more than MOST bytes for the first page.
"""

import json
import pathlib
import re
import sys

REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>WatchLink</title>
<meta http-equiv="refresh" content="0; url={first}"><link rel="canonical" href="{first}"></head>
<body><p><a href="{first}">WatchLink's documentation</a></p></body></html>
"""
# What says the same in every type, by protocols of the standard library and Foundation.
WITNESS = re.compile(
    r"(?:init\((?:rawValue|coder|from|exactly|\w+Literal):\)|encode\((?:with|to):\)|hash\(into:\)|[-+*=]+\(_:_:\)|advanced\(by:\)|distance\(to:\)|"
    r"description|debugDescription|rawValue|hash|errorCode|errorDomain|errorUserInfo|supportsSecureCoding)$")
# The modules whose members the navigator lists: those that people write against. Of the others it lists the types, whose pages list the members; every
# page loads the whole navigator, and with all members it would be half a megabyte.
WITH_MEMBERS = {"watchconnectivity", "watchkit", "watchlinktesting", "watchlinksimulation", "keyedarchive", "watchlinkservices", "devicecontrol"}
MEMBERS = {"method", "property", "case", "init", "op", "subscript", "associatedtype", "var", "func"}


def undocumented(symbols):
    """The public symbols without a comment, except for overrides and witnesses."""
    for file in sorted(symbols.glob("*/*.symbols.json")):
        graph = json.loads(file.read_text())
        overrides = {each["source"] for each in graph["relationships"] if each["kind"] == "overrides"}
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            if ("docComment" in symbol or symbol["identifier"]["precise"] in overrides or symbol["kind"]["identifier"] == "swift.extension"
                    or WITNESS.match(path[-1]) or any(part.startswith("_") for part in path)):
                continue
            yield f"{graph['module']['name']}: {'.'.join(path)}"


def prune(nodes, module=""):
    """The nodes of the navigator without members of modules that are not named above, and without headings of nothing."""
    kept = []
    for node in nodes:
        parts = node.get("path", "").split("/")
        within = parts[2] if len(parts) > 2 else module
        if node.get("type") in MEMBERS and within not in WITH_MEMBERS:
            continue
        if "children" in node:
            node["children"] = prune(node["children"], within)
            if not node["children"]:
                del node["children"]
        kept.append(node)
    return [node for node, after in zip(kept, kept[1:] + [{"type": "groupMarker"}])
            if node.get("type") != "groupMarker" or after.get("type") != "groupMarker"]


def first_page(site):
    """The files that a browser loads for the first page; a server's log named them."""
    numbers = {file.name.split(".")[0] for file in site.glob("js/[0-9]*.js")}
    for pattern in ["js/index.*", "js/chunk-vendors.*", "js/documentation-topic.*", "js/[0-9]*.js", "js/highlight-js-bash-js.*", "css/index.*",
                    "css/documentation-topic.*", *(f"css/{number}.*" for number in numbers), "favicon.ico", "documentation/watchlink/index.html",
                    "data/documentation/watchlink.json", "index/index.json", "theme-settings.json", "index.html"]:
        yield from site.glob(pattern)


def main(site, base, most, symbols):
    site = pathlib.Path(site)
    (site / "index.html").write_text(REDIRECT.format(first=base.rstrip("/") + "/documentation/watchlink/"))
    (site / "theme-settings.json").write_text(json.dumps({"meta": {"title": "WatchLink"}}))
    # docc inserts this into the pages of one catalogue only; the pages of all modules need it.
    header = pathlib.Path(__file__).with_name("header.html").read_text().replace("BASE", base.rstrip("/"))
    for page in site.glob("documentation/**/index.html"):
        page.write_text(re.sub(r"<body[^>]*>", lambda body: body[0] + header, page.read_text(), count=1))
    navigator = site / "index/index.json"
    index = json.loads(navigator.read_text())
    index["interfaceLanguages"] = {language: prune(nodes) for language, nodes in index["interfaceLanguages"].items()}
    navigator.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))

    failed = list(undocumented(pathlib.Path(symbols)))
    for name in failed:
        print(f"not documented: {name}", file=sys.stderr)
    sizes = {str(file.relative_to(site)): file.stat().st_size for file in first_page(site)}
    total = sum(sizes.values())
    print(f"{len(list(site.glob('data/**/*.json')))} pages, {sum(file.stat().st_size for file in site.rglob('*') if file.is_file()) >> 20} MiB; "
          f"a browser loads {total:,} bytes for the first page")
    if total > int(most):
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f"{size:>9,} {name}", file=sys.stderr)
        failed.append("the size of the first page")
    if failed:
        sys.exit(f"the site has {len(failed)} faults")


main(*sys.argv[1:])
