#!/usr/bin/env python3
"""Scores the call edges of codegraph (npm @colbymchenry/codegraph) on a crate of set F's form.

    npm i @colbymchenry/codegraph@1.6.1
    cp -r CRATE copy && (cd copy && CODEGRAPH_TELEMETRY=0 npx codegraph init .)
    python3 codegraph.py copy                   # against copy/gold.json
    python3 codegraph.py WORKSPACE CALLS.jsonl  # against rust-analyzer's calls, site by site

CALLS.jsonl is what `cargo run -p graftage-analyzer --example scip_calls -- WORKSPACE INDEX.scip`
prints. A site is known by its file, line and callee's name.

Its functions have no paths that could be compared with gold: they are found by place and name.
Rules as in the suite: an edge is right if it is in gold.json or also.json, and an impl's function
is also met by its declaration in the trait. Standard library only."""

import json
import re
import sqlite3
import sys
from pathlib import Path


def blank(text):
    """The text without comments and literals, at the same places."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def plain(path):
    """Without lifetimes and generic arguments."""
    path = re.sub(r"'\w+ ?", "", path)
    out, depth = "", 0
    for ch in path:
        opens = ch == "<" and (depth > 0 or re.search(r"\w$", out))
        depth += bool(opens)
        if depth == 0:
            out += ch
        elif ch == ">":
            depth -= 1
    return out


def head_name(head):
    """What a block's head adds to the path; None where it adds nothing."""
    head = " ".join(head.split())
    if match := re.search(r"\b(?:mod|trait|fn)\s+(\w+)[^{]*$", head):
        if not re.search(r"\bimpl\b[^()]*$", head[: match.start()]):
            return match.group(1)
    if match := re.search(r"\bimpl\b(.*)$", head):
        body = match.group(1).strip()
        if body.startswith("<"):
            depth = 0
            for at, ch in enumerate(body):
                depth += (ch == "<") - (ch == ">")
                if depth == 0:
                    body = body[at + 1 :].strip()
                    break
        body = body.split(" where ")[0].strip()
        if " for " in body:
            of_trait, of_type = body.split(" for ", 1)
            return f"<{of_type} as {of_trait}>"
        return body
    return None


def functions(root):
    """(file, line, name) -> canonical path of every function that stands in the sources."""
    found = {}
    for file in sorted((root / "src").rglob("*.rs")):
        text = blank(file.read_text())
        # What a macro's definition says is no function yet.
        macro = r"macro_rules!\s*\w+\s*\{.*?\n\}"
        text = re.sub(macro, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
        module = [part for part in file.relative_to(root / "src").with_suffix("").parts]
        module = [part for part in module if part not in ("lib", "main", "mod")]
        stack, start = [], 0
        for match in re.finditer(r"[{};]", text):
            head, start_of_head, start = text[start : match.start()], start, match.end()
            if match.group() == "}":
                if stack:
                    stack.pop()
                continue
            if named := re.search(r"\bfn\s+(\w+)", head):
                line = text.count("\n", 0, start_of_head + named.start()) + 1
                path = module + [part for part in stack if part] + [named.group(1)]
                found[(str(file.relative_to(root)), line, named.group(1))] = "::".join(path)
            if match.group() == "{":
                stack.append(head_name(head))
    return found


def fits(gold, answer):
    exact = plain(answer) == gold if plain(gold) == gold else answer == gold
    declared = re.search(r" as (?:\w+::)*(\w+)>::(\w+)$", plain(gold))
    return exact or bool(
        declared and re.search(rf"(?:^|::){declared.group(1)}::{declared.group(2)}$", plain(answer))
    )


def against_oracle(root, lines):
    """Edges whose site the oracle knows: is the callee's definition the oracle's?"""
    database = sqlite3.connect(root / ".codegraph" / "codegraph.db")
    query = """select s.file_path, e.line, t.name, t.file_path, t.start_line, t.end_line, e.metadata
        from edges e join nodes s on s.id = e.source join nodes t on t.id = e.target
        where e.kind = 'calls' and t.kind in ('function', 'method')"""
    answers = {}
    for file, line, name, t_file, start, end, metadata in database.execute(query):
        if "synthesizedBy" not in (metadata or ""):
            answers.setdefault((file, line, name), set()).add((t_file, start, end))
    calls = {}
    for line in lines:
        call = json.loads(line)
        for callee in call["callees"]:
            places = {(it["file"], it["line"]) for it in callee["defined"]}
            if places:
                name = callee["path"].split("::")[-1]
                calls.setdefault((call["file"], call["line"], name), []).append(places)
    right = judged = found = total = 0
    for site, wanted in calls.items():
        given = answers.get(site, set())
        hits = [
            any(file == at and start <= line <= end for at, line in places for file, start, end in given)
            for places in wanted
        ]
        total += len(hits)
        found += sum(hits)
        judged += len(given)
        right += sum(
            any(file == at and start <= line <= end for places in wanted for at, line in places)
            for file, start, end in given
        )
    unknown = sum(len(given) for site, given in answers.items() if site not in calls)
    print(f"precision {right}/{judged} = {right / max(judged, 1):.4f} where the oracle has a call")
    print(f"recall    {found}/{total} = {found / max(total, 1):.4f}")
    print(f"{unknown} more edges where the oracle has no call of that name inside the workspace")


def main():
    root = Path(sys.argv[1])
    if len(sys.argv) > 2 and sys.argv[2] != "-v":
        return against_oracle(root, Path(sys.argv[2]).read_text().splitlines())
    known = functions(root)
    gold = [tuple(edge) for edge in json.loads((root / "gold.json").read_text())]
    also_file = root / "also.json"
    also = [tuple(edge) for edge in json.loads(also_file.read_text())] if also_file.exists() else []
    database = sqlite3.connect(root / ".codegraph" / "codegraph.db")
    query = """select s.file_path, s.start_line, s.name, t.file_path, t.start_line, t.name, t.kind, e.metadata
        from edges e join nodes s on s.id = e.source join nodes t on t.id = e.target
        where e.kind = 'calls'"""
    edges = {}
    for *caller, t_file, t_line, t_name, kind, metadata in database.execute(query):
        # From a trait's declaration to the impls: made up by the tool, and not said to be calls.
        if "synthesizedBy" in (metadata or ""):
            continue
        caller = known.get(tuple(caller), "{}:{} {}".format(*caller))
        callee = known.get((t_file, t_line, t_name), f"{kind} {t_name} {t_file}:{t_line}")
        edges[(caller, callee)] = metadata

    def is_edge(edge, pairs):
        return any(plain(a) == plain(edge[0]) and fits(b, edge[1]) for a, b in pairs)

    right = [edge for edge in edges if is_edge(edge, gold + also)]
    found = [pair for pair in gold if any(is_edge(edge, [pair]) for edge in edges)]
    wrong = sorted(edge for edge in edges if edge not in set(right))
    shapes = {}
    for pair in gold:
        if re.search(r"(?:^|::)s\d+_\w+$", pair[0]):
            shapes[pair[0]] = shapes.get(pair[0], True) and pair in found
    if "-v" in sys.argv:
        for caller, callee in wrong:
            print("wrong", caller, "->", callee, edges[(caller, callee)])
        for caller, callee in sorted(set(gold) - set(found)):
            print("missed", caller, "->", callee)
    print(f"edges {len(edges)}, gold {len(gold)}")
    print(f"precision {len(right)}/{len(edges)} = {len(right) / max(len(edges), 1):.3f}")
    print(f"recall    {len(found)}/{len(gold)} = {len(found) / max(len(gold), 1):.3f}")
    print(f"shapes    {sum(shapes.values())}/{len(shapes)}")


main()
