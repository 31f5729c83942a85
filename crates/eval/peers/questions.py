#!/usr/bin/env python3
"""Peers on questions about whole files (`cargo xtask file-questions --out FOLDER`):

    pip install semble==0.7.0
    questions.py FOLDER/report.jsonl graftage=target/release/graftage semble \\
        ripgrep=rg tantivy=tantivy/target/release/peer-tantivy sifs=sifs/bin/sifs

See retrieval.py for how the peers are built and run. Every peer gets the sources without the text of
the questions. Chunks of a file count as the file; tantivy ranks whole files, ripgrep the files by the number of lines
that contain a word of the question (`rg --count`, words of three letters and more). NDCG@10 and MRR@10 with equal
gains, mean over the kinds of question, and processor seconds.
"""

import collections, json, math, os, pathlib, re, subprocess, sys, tempfile, time


from retrieval import Semble, Sifs, children, read, rust_files, sources

KINDS = ["module", "name", "presented", "guide", "how", "message"]


def corpora(path):
    by_package = collections.defaultdict(list)
    for case in read(path):
        by_package[f"{case['crate']}-{case['version']}"].append(case)
    for package, cases in by_package.items():
        blanks = collections.defaultdict(list)
        for case in cases:
            if case["blank"]:
                file, start, end = case["blank"]
                blanks[file].append((start, end))
        files = []
        for file, text in rust_files(sources(package), False):
            whole = bytearray(text.encode())
            for start, end in blanks[file]:
                whole[start:end] = re.sub(rb"[^\n\r]", b" ", bytes(whole[start:end]))
            files.append((file, whole.decode("utf-8", "replace")))
        yield files, cases


def chunks(peer):
    def answer(files, cases):
        peer.index(files)
        for case in cases:
            found = peer.search(case["question"])
            yield list(dict.fromkeys(chunk.file_path for chunk in found))

    return answer, lambda: (peer.index_seconds, peer.query_seconds)


def ripgrep(binary):
    spent = [0.0]

    def answer(files, cases):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files:
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            for case in cases:
                words = [word for word in re.findall(r"\w+", case["question"]) if len(word) > 2]
                before = children()
                command = [binary, "--count", "--ignore-case", "--no-messages", "-e", "|".join(words), "."]
                said = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
                spent[0] += children() - before
                counts = [line.rsplit(":", 1) for line in said.splitlines()]
                ranked = sorted(counts, key=lambda it: (-int(it[1]), it[0]))
                yield [path.removeprefix("./") for path, _ in ranked]

    return answer, lambda: (0.0, spent[0])


def tantivy(binary):
    cost = collections.Counter()

    def answer(files, cases):
        with tempfile.TemporaryDirectory() as folder:
            documents = [(path, f"{path} {text}") for path, text in files]
            queries = [(case["id"], case["question"]) for case in cases]
            paths = [f"{folder}/documents", f"{folder}/queries"]
            for path, lines in zip(paths, (documents, queries)):
                with open(path, "w") as file:
                    file.writelines(json.dumps({"id": i, "text": text}) + "\n" for i, text in lines)
            run = subprocess.run([binary, *paths], capture_output=True, text=True, check=True)
        cost.update(json.loads(run.stderr))
        found = {line["id"]: line["found"] for line in map(json.loads, run.stdout.splitlines())}
        return (found[case["id"]] for case in cases)

    return answer, lambda: (cost["index_cpu_ms"] / 1000, cost["query_cpu_ms"] / 1000)


def score(found, gold):
    gain, first, seen = 0.0, 0, set()
    for rank, file in enumerate(found[:10], 1):
        if file in gold and file not in seen:
            seen.add(file)
            gain += 1 / math.log2(rank + 1)
            first = first or rank
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), 10) + 1))
    return gain / ideal, 1 / first if first else 0.0


def figures(path, answer):
    by_kind = collections.defaultdict(list)
    for files, cases in corpora(path):
        for case, found in zip(cases, answer(files, cases)):
            by_kind[case["kind"]].append(score(found, case["files"]))
    mean = lambda at, kind: sum(it[at] for it in by_kind[kind]) / len(by_kind[kind])
    return [[mean(at, kind) for kind in KINDS] for at in (0, 1)]


def graftage(path, binary):
    began = children()
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "eval", "run", path, "--out", folder, "--json", "--offline"]
        said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    by = said["by"]
    both = [[by[kind][f"{name}@10.file.raw"] for kind in KINDS] for name in ("ndcg", "mrr")]
    return both, (None, children() - began)


def say(name, both, seconds):
    ndcg, mrr = both
    index, queries = seconds
    cost = f"{queries:.1f} in all" if index is None else f"{index:.1f} + {queries:.1f}"
    kinds = " | ".join(f"{value:.3f}" for value in ndcg)
    print(f"| {name} | {sum(ndcg) / len(ndcg):.3f} | {sum(mrr) / len(mrr):.3f} | {kinds} | {cost} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path = sys.argv[1]
    print("| | NDCG@10 | MRR@10 | " + " | ".join(KINDS) + " | CPU s |")
    print("|---" * (len(KINDS) + 4) + "|")
    for peer in sys.argv[2:]:
        name, _, binary = peer.partition("=")
        if name == "graftage":
            say(peer.partition("=")[0], *graftage(path, binary))
            continue
        with tempfile.TemporaryDirectory() as folder:
            answer, cost = {
                "semble": lambda: chunks(Semble()),
                "sifs": lambda: chunks(Sifs(binary, folder)),
                "ripgrep": lambda: ripgrep(binary),
                "tantivy": lambda: tantivy(binary),
            }[name]()
            say(name, figures(path, answer), cost())
