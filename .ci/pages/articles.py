"""Compiles the Swift blocks of the README and of every article, and checks that every sh block is run by a gate.

    articles.py SCRATCH COMPILER…

COMPILER… is the compiler with the paths of this package's modules. A comment before a block, which readers do not see, says what a block needs:

    <!-- within: func example(pair: SimulatedPair) async throws { … } -->    the block stands in place of the dots
    <!-- not compiled: REASON -->                                            it is no complete Swift
    <!-- not run: REASON -->                                                 for a sh block

Without a comment, a block is compiled as it stands. A block without imports has those of the blocks before it, as a reader assumes. Three dots in the braces of
a block, or alone on a line, stand for nothing. A listing whose file is named before it is compiled by the gate that walks through the article.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# The articles that .ci/tutorial and .ci/new follow to the letter.
WALKED = {"Tutorial.md", "YourOwnApplication.md"}
BLOCK = re.compile(r"(?P<before>[^\n]*\n[^\n]*\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!-- (within|not compiled|not run): ((?:(?!-->).)*) -->\s*\Z", re.DOTALL)


class Block:
    def __init__(self, article, match, content):
        self.place = f"{article}:{content[:match.start('text')].count(chr(10))}"
        self.language = match["language"]
        self.text = "".join(line.removeprefix(match["indent"]) for line in match["text"].splitlines(True))
        head = content[:match.start("indent")].rstrip()
        comment = COMMENT.search(head)
        self.kind, self.words = (comment[1], " ".join(comment[2].split())) if comment else (None, "")
        self.isListing = article.name in WALKED and re.search(r"^`[^`]+`:$", head.splitlines()[-1] if head else "") is not None

    def source(self, imports):
        text = re.sub(r"\{ … \}|^ *…$", lambda dots: "{ }" if "{" in dots[0] else "", self.text, flags=re.MULTILINE)
        own = re.findall(r"^(?:@testable )?import \w+", text, re.MULTILINE)
        if self.kind == "within":
            text = self.words.replace("…", "\n" + text, 1)
        if not own:
            text = "\n".join(imports) + "\n" + text
        return text, own

    def isManifest(self):
        return self.text.startswith("// swift-tools-version")


def compile_block(block, source, folder, compiler):
    """Returns what the compiler complains about, or nothing."""
    folder.mkdir()
    if block.isManifest():
        (folder / "Package.swift").write_text(source)
        run = subprocess.run(["swift", "package", "--package-path", folder, "dump-package"], text=True, capture_output=True)
    else:
        # The name of the one file that may have statements outside of functions.
        (folder / "main.swift").write_text(source)
        # Apps that were written for Apple's framework are in the language mode 5.
        for version in ("6", "5"):
            command = [*compiler, "-swift-version", version, "-c", folder / "main.swift", "-o", folder / "block.o"]
            run = subprocess.run(command, text=True, capture_output=True)
            if run.returncode == 0:
                break
    return "" if run.returncode == 0 else f"{block.place}: a block does not compile:\n{run.stdout}{run.stderr}"


def main(scratch, *compiler):
    scratch, faults, jobs, counts = pathlib.Path(scratch), [], [], {}
    articles = [pathlib.Path("README.md"), *sorted(pathlib.Path("Sources").rglob("*.md")), *sorted(pathlib.Path(".ci/pages").rglob("*.md"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for article in articles:
            content, imports = article.read_text(), []
            for match in BLOCK.finditer(content):
                block = Block(article, match, content)
                outcome = None
                if block.language == "swift":
                    source, own = block.source(imports)
                    imports += [each for each in own if each not in imports]
                    if block.isManifest():
                        imports = []
                    if block.isListing:
                        outcome = "compiled by the walk through its article"
                    elif block.kind == "not compiled":
                        outcome = "not compiled, with a reason"
                    else:
                        outcome = "compiled"
                        jobs.append(pool.submit(compile_block, block, source, scratch / str(len(jobs)), compiler))
                elif block.language == "sh":
                    if article.name in WALKED:
                        outcome = "run by the walk through its article"
                    elif block.kind == "not run":
                        outcome = "not run, with a reason"
                    else:
                        faults.append(f"{block.place}: no gate runs this sh block; say why in a comment before it")
                if outcome:
                    key = f"{block.language} blocks {outcome}"
                    counts[key] = counts.get(key, 0) + 1
        faults += [fault for fault in (job.result() for job in jobs) if fault]
    for name, count in sorted(counts.items()):
        print(f"{count} {name}")
    if faults:
        sys.exit("\n".join(faults))


main(*sys.argv[1:])
