#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The code blocks of README.md and docs/*.md, as tests.

    snippets.py extract DIR             write each tagged cpp block to DIR/NAME.cpp, print the names
    snippets.py cpp NAME PROGRAM        run the compiled block
    snippets.py sh NAME RUNG_FOLDER     run the tagged sh block in an empty folder, `rung` on PATH
    snippets.py list                    print the names of the tagged sh blocks
    snippets.py quotes                  compare the cpp blocks that quote a file with it

A block is tagged by its first line: `// snippet: NAME` in cpp, `# run` in sh. A cpp block without
a main gets one: includes and `using` stay above it. If a text block follows, the output must equal
it, where `...` stands for any text. The folder of an sh block has data/ in it; the blocks of one
page share the folder, in order, and are one test, named after the page. A cpp block whose first
line is `// examples/NAME.cpp` quotes that file: its pieces, between lines `// ...`, stand there in
this order.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from sources import ROOT, name

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n?```text\n(.*?)^```$)?", re.M | re.S)


class Block:
    def __init__(self, path, language, code, output):
        self.path, self.language, self.code, self.output = path, language, code, output
        tag = re.match(r"// snippet: (\w+)\n|# run\n", code)
        self.tagged = tag is not None
        self.name = tag[1] if tag and tag[1] else path.stem.lower()

    def program(self):
        if re.search(r"\bmain\(", self.code):
            return self.code
        lines = self.code.splitlines()
        above = [line for line in lines if re.match(r"#include|using ", line)]
        body = [line for line in lines if line not in above]
        return "\n".join([*above, "int main() {", *body, "}", ""])

    def check(self, output):
        if self.output is None or matches(output, self.output):
            return
        print(f"{name(self.path)}: {self.name}: the output is\n{output}and the text says")
        sys.exit(self.output)


def matches(output, text):
    pattern = ".*?".join(re.escape(part) for part in text.strip().split("..."))
    return re.fullmatch(pattern, output.strip(), re.S) is not None


def blocks(language, paths=None):
    for path in paths or [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        for found in BLOCK.finditer(path.read_text(encoding="utf-8")):
            if found[1] == language:
                yield Block(path, *found.groups())


def extract(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for block in blocks("cpp"):
        if block.tagged:
            target = folder / f"{block.name}.cpp"
            if not target.exists() or target.read_text() != block.program():
                target.write_text(block.program())
            print(block.name)


def run_cpp(wanted, program):
    block = next(b for b in blocks("cpp") if b.tagged and b.name == wanted)
    result = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{wanted}: exit code {result.returncode}")
    block.check(result.stdout)


def run_sh(wanted, rung_folder):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "data", f"{folder}/data")
        for block in blocks("sh"):
            if not block.tagged or block.name != wanted:
                continue
            script = f"set -e\nPATH={rung_folder}:$PATH\n{block.code}"
            command = ["bash", "-c", script]
            result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
            if result.returncode:
                sys.exit(f"{name(block.path)}: exit code {result.returncode} from\n{block.code}")
            block.check(result.stdout)


def stands_in(pieces, text):
    at = 0
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def check_quotes():
    found = 0
    for block in blocks("cpp"):
        quoted = re.match(r"// (examples/\w+\.cpp)\n", block.code)
        if not quoted:
            continue
        found += 1
        pieces = re.split(r"^ *// \.\.\.\n", block.code[quoted.end() :], flags=re.M)
        if not stands_in(pieces, (ROOT / quoted[1]).read_text(encoding="utf-8")):
            sys.exit(f"{name(block.path)}: this does not stand in {quoted[1]}:\n{block.code}")
    print(f"{found} quotations of examples")


def list_blocks():
    print("\n".join(sorted({block.name for block in blocks("sh") if block.tagged})))


def main():
    verb, *arguments = sys.argv[1:]
    verbs = {"extract": extract, "cpp": run_cpp, "sh": run_sh, "list": list_blocks}
    (verbs | {"quotes": check_quotes})[verb](*arguments)


if __name__ == "__main__":
    main()
