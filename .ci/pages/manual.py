"""The manual pages of `watchlink man`, read back as blocks, so that the site and the list of interfaces say what the programs say."""

import dataclasses
import re


@dataclasses.dataclass
class Block:
    """A heading, subheading, paragraph, item (with its term) or example of a manual page."""

    kind: str
    text: str
    term: str = ""


def _plain(words):
    """A line without the escapes of man(7)."""
    words = re.sub(r"\\f[BIR]", "", words).replace("\\&", "")
    return words.replace("\\-", "-").replace("\\e", "\\")


def blocks(roff):
    """The blocks of a page, in order; what the title line says is left out."""
    result, lines = [], iter(roff.splitlines())
    for line in lines:
        if line.startswith('.\\"') or line.startswith(".TH ") or line == ".PP":
            continue
        if line.startswith(".SH "):
            result.append(Block("heading", _plain(line[4:])))
        elif line.startswith(".SS "):
            result.append(Block("subheading", _plain(line[4:])))
        elif line == ".TP":
            result.append(Block("item", term=_plain(next(lines)), text=_plain(next(lines))))
        elif line == ".nf":
            example = []
            while (verbatim := next(lines)) != ".fi":
                example.append(_plain(verbatim).removeprefix("    "))
            result.append(Block("example", "\n".join(example)))
        else:
            result.append(Block("paragraph", _plain(line)))
    return result


def section(page, heading):
    """The blocks between a heading and the next one."""
    places = [index for index, block in enumerate(page) if block.kind == "heading"]
    for start, end in zip(places, places[1:] + [len(page)]):
        if page[start].text == heading:
            return page[start + 1:end]
    raise KeyError(f"the manual page has no section {heading}")
