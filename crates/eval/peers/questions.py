#!/usr/bin/env python3
"""Peers on questions about whole files (`cargo xtask file-questions --out FOLDER`):

    pip install semble==0.7.0
    questions.py FOLDER/report.jsonl graftage=target/release/graftage semble ripgrep=rg \\
        tantivy=tantivy/target/release/peer-tantivy tantivy-items=tantivy/target/release/peer-tantivy \\
        sifs=sifs/bin/sifs

See retrieval.py for how the peers are built and run. Every peer gets the sources without the text of
the questions. Chunks and items of a file count as the file; tantivy ranks whole files, or the items
of graftage's map, ripgrep the files by the number of lines that contain a word of the question (`rg
--count`, words of three letters and more). NDCG@10, MRR@10 and Recall@10 with equal gains: the mean
over the kinds of question.

Cost: processor seconds to index all crates; size of the index on disk by that of the sources (graftage's
with its map; semble has none without weights); median wall milliseconds of a query with the index open (of graftage, within
a process of its own; of ripgrep and SIFS, which have no other way, with the start of the process);
median processor milliseconds of a process that answers one question and has the index on disk (semble
makes its own each time; one question for each crate).
"""

import collections, json, math, os, pathlib, re, statistics, sys, tempfile, time

from retrieval import Semble, Sifs, Tantivy, read, rust_files, sources, spawn, write_files

# Kinds of the map that contain other items, or have no text of their own.
NO_ITEMS = {"file", "module", "import", "macro_call", "external"}


class Costs:
    def __init__(self):
        self.index_cpu, self.disk, self.source, self.walls, self.once = 0.0, 0, 0, [], []

    def add(self, spent):
        self.once.append(spent.cpu)

    def cells(self):
        disk = f"{self.disk / self.source:.2f}" if self.disk else "–"
        p50, once = (statistics.median(seconds) * 1000 for seconds in (self.walls, self.once))
        return f"{self.index_cpu:.1f} | {disk} | {p50:.2f} | {once:.0f}"


def size_of(folder):
    return sum(it.stat().st_size for it in pathlib.Path(folder).rglob("*") if it.is_file())


def corpora(path):
    by_package = collections.defaultdict(list)
    for case in read(path):
        by_package[f"{case['crate']}-{case['version']}"].append(case)
    for package, cases in by_package.items():
        blanks = collections.defaultdict(list)
        for case in cases:
            if case.get("blank"):
                file, start, end = case["blank"]
                blanks[file].append((start, end))
        files = []
        for file, text in rust_files(sources(package), False):
            whole = bytearray(text.encode())
            for start, end in blanks[file]:
                whole[start:end] = re.sub(rb"[^\n\r]", b" ", bytes(whole[start:end]))
            files.append((file, whole.decode("utf-8", "replace")))
        yield package, files, cases


def lay_out(folder, package, files):
    """A workspace of its own, as `graftage eval run` makes it."""
    write_files(folder, files)
    manifest = (sources(package) / "Cargo.toml").read_text()
    if not re.search(r"(?m)^\s*\[workspace", manifest):
        manifest += "\n[workspace]\n"
    (pathlib.Path(folder) / "Cargo.toml").write_text(manifest)


def graftage(binary, package, files, cases, costs):
    with tempfile.TemporaryDirectory() as folder:
        lay_out(folder, package, files)
        common = ["-C", folder, "--json", "--offline"]
        costs.index_cpu += spawn([binary, "index", *common]).cpu
        costs.disk += size_of(f"{folder}/target")
        for case in cases:
            command = [binary, "search", "--by", "file", "-k", "20", *common, "--", case["question"]]
            spent = spawn(command, may_fail=True)
            answer = json.loads(spent.output)
            costs.add(spent)
            costs.walls.append(answer["took_us"] / 1e6)
            yield [hit["file"] for hit in answer["hits"]]


def semble(package, files, cases, costs):
    peer = Semble()
    peer.index(files)
    costs.index_cpu += peer.index_seconds
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, files)
        costs.add(spawn([sys.executable, __file__, "--semble", folder, cases[0]["question"]]))
    for case in cases:
        began = time.perf_counter()
        found = peer.search(case["question"])
        costs.walls.append(time.perf_counter() - began)
        yield [chunk.file_path for chunk in found]


def sifs(binary, package, files, cases, costs):
    with tempfile.TemporaryDirectory() as folder:
        peer = Sifs(binary, folder)
        peer.index(files)
        costs.index_cpu += peer.index_seconds
        costs.disk += size_of(f"{folder}/cache")
        for case in cases:
            found = peer.search(case["question"])
            costs.add(peer.last)
            costs.walls.append(peer.last.wall)
            yield [chunk.file_path for chunk in found]


def ripgrep(binary, package, files, cases, costs):
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, files)
        for case in cases:
            words = [word for word in re.findall(r"\w+", case["question"]) if len(word) > 2]
            command = [binary, "--count", "--ignore-case", "--no-messages", "-e", "|".join(words), "."]
            spent = spawn(command, folder, may_fail=True)
            costs.add(spent)
            costs.walls.append(spent.wall)
            counts = [line.rsplit(":", 1) for line in spent.output.splitlines()]
            ranked = sorted(counts, key=lambda it: (-int(it[1]), it[0]))
            yield [path.removeprefix("./") for path, _ in ranked]


def tantivy(binary, documents, cases, costs):
    """`documents` are triples of id, file and text."""
    file_of = {name: file for name, file, _ in documents}
    queries = [(case["id"], case["question"]) for case in cases]
    with tempfile.TemporaryDirectory() as folder:
        peer = Tantivy(binary)
        found = peer.ask([(name, text) for name, _, text in documents], queries, folder)
        costs.index_cpu += peer.cost["index_cpu_ms"] / 1000
        costs.disk += size_of(f"{folder}/index")
        costs.walls += [micros / 1e6 for micros in peer.micros]
        for query in queries:
            peer.ask([], [query], folder)
            costs.add(peer.last)
    return ([file_of[name] for name in found[case["id"]]] for case in cases)


def whole_files(package, files):
    return [(path, path, f"{path} {text}") for path, text in files]


def items(binary, package, files):
    with tempfile.TemporaryDirectory() as folder:
        lay_out(folder, package, files)
        stream = spawn([binary, "stream", "-C", folder, "--output", "stdout", "--offline"]).output
    texts, documents = {path: text.encode() for path, text in files}, []
    for record in map(json.loads, stream.splitlines()):
        if record["type"] == "node" and record["kind"] not in NO_ITEMS and record["file_path"] in texts:
            body = texts[record["file_path"]][record["span_start"] : record["span_end"]]
            text = f"{record['canon']} {body.decode('utf-8', 'replace')}"
            documents.append((record["id"], record["file_path"], text))
    return documents


def score(found, gold):
    """NDCG, reciprocal rank and recall of the first ten files."""
    ranks = [rank for rank, file in enumerate(list(dict.fromkeys(found))[:10], 1) if file in gold]
    gain = sum(1 / math.log2(rank + 1) for rank in ranks)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), 10) + 1))
    return gain / ideal, 1 / ranks[0] if ranks else 0.0, len(ranks) / len(gold)


def measure(name, path, answer):
    by_kind, costs = collections.defaultdict(list), Costs()
    for package, files, cases in corpora(path):
        costs.source += sum(len(text.encode()) for _, text in files)
        for case, found in zip(cases, answer(package, files, cases, costs), strict=True):
            by_kind[case["kind"]].append(score(found, case["files"]))
    mean = lambda at, kind: sum(it[at] for it in by_kind[kind]) / len(by_kind[kind])
    table = [[mean(at, kind) for kind in sorted(by_kind)] for at in (0, 1, 2)]
    means = " | ".join(f"{sum(row) / len(row):.3f}" for row in table)
    cells = " | ".join(f"{value:.3f}" for value in table[0])
    print(f"| {name} | {means} | {cells} | {costs.cells()} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--semble"]:
        peer = Semble()
        peer.index(list(rust_files(pathlib.Path(sys.argv[2]), False)))
        sys.exit(0 if peer.search(sys.argv[3]) else 1)
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path = sys.argv[1]
    binaries = dict(peer.partition("=")[::2] for peer in sys.argv[2:])
    binaries = {name: os.path.abspath(it) if os.sep in it else it for name, it in binaries.items()}
    if "tantivy-items" in binaries and "graftage" not in binaries:
        sys.exit("tantivy-items needs graftage=PATH, which lists the items")
    kinds = sorted({case["kind"] for case in read(path)})
    print("| | NDCG@10 | MRR@10 | Recall@10 | " + " | ".join(kinds) + " | index CPU s | disk × | p50 ms | one-shot CPU ms |")
    print("|---" * (len(kinds) + 8) + "|")
    for name, binary in binaries.items():
        answer = {
            "graftage": lambda *it: graftage(binary, *it),
            "semble": semble,
            "sifs": lambda *it: sifs(binary, *it),
            "ripgrep": lambda *it: ripgrep(binary, *it),
            "tantivy": lambda package, files, *it: tantivy(binary, whole_files(package, files), *it),
            "tantivy-items": lambda package, files, *it: tantivy(
                binary, items(binaries["graftage"], package, files), *it
            ),
        }[name]
        measure(name, path, answer)
