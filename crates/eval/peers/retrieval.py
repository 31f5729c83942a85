#!/usr/bin/env python3
"""Peers on sets A (files) and B (items), over the same sources as `graftage eval run`:

    pip install semble==0.7.0
    retrieval.py semble EVAL_DATA
    cargo build --release --manifest-path tantivy/Cargo.toml
    retrieval.py tantivy EVAL_DATA tantivy/target/release/peer-tantivy
    retrieval.py graftage EVAL_DATA target/release/graftage
    mkdir -p sifs/parsers/rust
    cp -r CARGO_HOME/registry/src/*/tree-sitter-rust-0.24.2/src sifs/parsers/rust/
    PROJECT_ROOT=$PWD/sifs TSLP_LANGUAGES=rust TSLP_LINK_MODE=static TSLP_OFFLINE=1 \\
        cargo install sifs --version 0.4.0 --locked --root sifs
    retrieval.py sifs EVAL_DATA sifs/bin/sifs
    retrieval.py all EVAL_DATA target/release/graftage tantivy/target/release/peer-tantivy [sifs/bin/sifs]

The last one runs all of them, one behind the other, and prints one table. EVAL_DATA holds A_localise and B_doc2item; the crates' sources are in cargo's registry folder. Semble
runs as it does without weights: its BM25 and all its rules, the vectors' half is empty. It ranks
chunks of files: on set B a chunk hits the item whose first line it holds, which is generous to it,
for a chunk holds several. Tantivy ranks whole files (set A, path and text) and whole items (set B).
SIFS is built of crates alone: its package of grammars would fetch their sources from a release page,
and is given those that the grammar's own crate has. It runs offline in its BM25 mode, by its command, with its index kept between queries; it ranks chunks
like semble. Graftage is `eval run`, whole and by words and rules alone: it makes maps, indexes and
baselines of its own, too, and asks for items, files and contexts, so its seconds are those of all that.
Figures are means over repositories (A) and crates (B), and processor seconds of this process or of
the peer's own.
"""

import collections, glob, json, os, pathlib, re, subprocess, sys, tempfile, time

Spent = collections.namedtuple("Spent", "output cpu wall")


def sources(package):
    home = os.environ.get("CARGO_HOME", os.path.expanduser("~/.cargo"))
    found = glob.glob(f"{home}/registry/src/*/{package}")
    if not found:
        sys.exit(f"no sources of {package}: run eval's fetch_crates.sh")
    return pathlib.Path(found[0])


def rust_files(root, without_docs):
    for path in sorted(root.rglob("*.rs")):
        text = path.read_bytes().decode("utf-8", "replace")
        if without_docs:
            text = blank(text)
        yield str(path.relative_to(root)), text


def blank(text):
    """Lines of doc comments as empty ones: numbers of lines stay."""
    text = re.sub(r"(?m)^[ \t]*//[/!].*$", "", text)
    return re.sub(r"/\*[*!].*?\*/", lambda it: "\n" * it.group(0).count("\n"), text, flags=re.S)


def read(path):
    return [json.loads(line) for line in open(path)]


def set_a(data):
    by_package = collections.defaultdict(list)
    for case in read(f"{data}/A_localise/cases.jsonl"):
        by_package[f"{case['crate']}-{case['version']}"].append(case)
    return by_package


def set_b(data):
    for path in sorted(glob.glob(f"{data}/B_doc2item/queries_*.jsonl")):
        items = {item["id"]: item for item in read(path.replace("queries_", "items_"))}
        yield os.path.basename(path)[len("queries_") : -len(".jsonl")], read(path), items


def variants(case):
    return [(name, case[name]) for name in ("raw", "masked") if case[name]]


class Semble:
    def __init__(self):
        import semble.search as engine
        from semble.chunking import chunk_source
        from semble.index.bm25 import BM25
        from semble.index.sparse import enrich_for_bm25
        from semble.tokens import tokenize

        engine._search_semantic = lambda *_: []
        self.parts = engine, chunk_source, BM25, enrich_for_bm25, tokenize
        self.index_seconds = self.query_seconds = 0.0

    def index(self, files):
        began = time.process_time()
        engine, chunk_source, BM25, enrich, tokenize = self.parts
        self.bm25, self.chunks, ids = BM25.empty(), [], []
        for path, text in files:
            for slot, chunk in enumerate(chunk_source(text, path, "rust")):
                ids.append(f"{path}#{slot}")
                self.bm25.add_document(ids[-1], tokenize(enrich(chunk)))
                self.chunks.append(chunk)
        self.bm25.set_doc_order(ids)
        self.index_seconds += time.process_time() - began

    def search(self, text):
        began = time.process_time()
        found = self.parts[0].search(text, None, None, self.bm25, self.chunks, 50, alpha=0.0)
        self.query_seconds += time.process_time() - began
        return [result.chunk for result in found]


class Sifs:
    """Through its command: the first search of a corpus indexes it."""

    def __init__(self, binary, folder):
        self.binary, self.root = binary, pathlib.Path(folder)
        self.corpora = 0
        self.index_seconds = self.query_seconds = 0.0

    def index(self, files):
        self.corpora += 1
        self.source = self.root / f"source-{self.corpora}"
        write_files(self.source, files)
        self.index_seconds += self.run("index")[1]

    def search(self, text):
        found, seconds = self.run(text)
        self.query_seconds += seconds
        return [Chunk(**{name: it[name] for name in Chunk._fields}) for it in found]

    def run(self, text):
        command = [self.binary, "search", "--source", str(self.source), "--mode", "bm25", "--offline"]
        command += ["--cache-dir", str(self.root / "cache"), "--limit", "50", "--json", "--", text]
        self.last = spawn(command)
        results = json.loads(self.last.output)
        found = results if isinstance(results, list) else results["results"]
        return [it.get("chunk", it) for it in found], self.last.cpu


def spawn(command, folder=None, may_fail=False):
    """The output of a process, and its processor and wall seconds with all that it started."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    output = process.stdout.read().decode("utf-8", "replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and not may_fail:
        sys.exit(f"{command[0]} failed: {process.returncode}")
    wall = time.perf_counter() - began
    return Spent(output, used.ru_utime + used.ru_stime, wall)


def write_files(folder, files):
    for path, text in files:
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


class Tantivy:
    """Through `tantivy/`: documents and queries as pairs of id and text."""

    def __init__(self, binary):
        self.binary, self.cost = binary, collections.Counter()

    def ask(self, documents, queries, folder):
        """The ids of the best documents by query; `folder` gets the index, or has it."""
        paths = [f"{folder}/documents", f"{folder}/queries"]
        for path, lines in zip(paths, (documents, queries)):
            with open(path, "w") as file:
                file.writelines(json.dumps({"id": i, "text": text}) + "\n" for i, text in lines)
        self.last = spawn([self.binary, *paths, f"{folder}/index"])
        *answers, cost = map(json.loads, self.last.output.splitlines())
        self.cost.update(cost)
        self.micros = [it["us"] for it in answers]
        return {it["id"]: it["found"] for it in answers}


Chunk = collections.namedtuple("Chunk", "file_path start_line end_line")


def graftage(data, binary, *settings):
    """From the reports of its own runs."""
    seconds, figures = 0.0, {}
    with tempfile.TemporaryDirectory() as folder:
        for suite in ("A_localise", "B_doc2item"):
            config = [word for setting in settings for word in ("--config", setting)]
            command = [binary, "eval", "run", f"{data}/{suite}", "--out", f"{folder}/{suite}", *config]
            seconds += spawn(command).cpu
            for line in open(f"{folder}/{suite}/report.md"):
                cells = [cell.strip() for cell in line.split("|")]
                if len(cells) > 3:
                    figures[suite[0], cells[1]] = cells[2]
    return Row(
        "graftage" + "".join(f", {setting}" for setting in settings),
        *(float(figures["A", f"acc@5.file.{name}"]) for name in ("raw", "masked")),
        *(float(figures["B", f"mrr@10.{name}"]) for name in ("raw", "masked")),
        None,
        seconds,
    )


def semble(data):
    return chunks("semble 0.7.0, BM25 and rules", Semble(), data)


def sifs(data, binary):
    with tempfile.TemporaryDirectory() as folder:
        return chunks("SIFS 0.4.0, BM25", Sifs(binary, folder), data)


def chunks(name, peer, data):
    acc, mrr = collections.defaultdict(list), collections.defaultdict(list)
    for package, cases in set_a(data).items():
        peer.index(list(rust_files(sources(package), False)))
        for case in cases:
            for variant, text in variants(case):
                files = list(dict.fromkeys(chunk.file_path for chunk in peer.search(text)))[:5]
                acc[variant, case["repo"]].append(set(case["gold_files"]) <= set(files))
    for package, cases, items in set_b(data):
        peer.index(list(rust_files(sources(package), True)))
        for case in cases:
            gold = [items[name] for name in case["gold"]]
            for variant, text in variants(case):
                hit = lambda chunk: any(
                    chunk.file_path == item["file"] and chunk.start_line <= item["l0"] <= chunk.end_line
                    for item in gold
                )
                ranks = [rank for rank, chunk in enumerate(peer.search(text)[:10], 1) if hit(chunk)]
                mrr[variant, package].append(1 / ranks[0] if ranks else 0.0)
    return row(name, acc, mrr, peer.index_seconds, peer.query_seconds)


def tantivy(data, binary):
    acc, mrr = collections.defaultdict(list), collections.defaultdict(list)
    peer = Tantivy(binary)

    def ask(documents, queries):
        with tempfile.TemporaryDirectory() as folder:
            return peer.ask(documents, queries, folder)

    for package, cases in set_a(data).items():
        documents = [(path, f"{path} {text}") for path, text in rust_files(sources(package), False)]
        asked = {f"{case['id']} {name}": (case, name, text) for case in cases for name, text in variants(case)}
        found = ask(documents, [(name, text) for name, (_, _, text) in asked.items()])
        for name, (case, variant, _) in asked.items():
            acc[variant, case["repo"]].append(set(case["gold_files"]) <= set(found[name][:5]))
    for package, cases, items in set_b(data):
        root, texts, documents = sources(package), {}, []
        for item in items.values():
            whole = texts.setdefault(item["file"], (root / item["file"]).read_bytes())
            body = bytearray(whole[item["start"] : item["end"]])
            for start, end in item["strip"]:
                start, end = start - item["start"], end - item["start"]
                body[start:end] = b" " * (end - start)
            documents.append((item["id"], f"{item['path']} {body.decode('utf-8', 'replace')}"))
        asked = {f"{case['id']} {name}": (case, name, text) for case in cases for name, text in variants(case)}
        found = ask(documents, [(name, text) for name, (_, _, text) in asked.items()])
        for name, (case, variant, _) in asked.items():
            ranks = [rank for rank, it in enumerate(found[name][:10], 1) if it in case["gold"]]
            mrr[variant, package].append(1 / ranks[0] if ranks else 0.0)
    return row(
        "tantivy 0.26.1, plain BM25",
        acc,
        mrr,
        peer.cost["index_cpu_ms"] / 1000,
        peer.cost["query_cpu_ms"] / 1000,
    )


Row = collections.namedtuple("Row", "name a_raw a_masked b_raw b_masked index queries")


def row(name, acc, mrr, index, queries):
    def mean(by, variant):
        groups = [sum(values) / len(values) for (name, _), values in by.items() if name == variant]
        return sum(groups) / max(1, len(groups))

    figures = (mean(by, variant) for by in (acc, mrr) for variant in ("raw", "masked"))
    return Row(name, *figures, index, queries)


def say(rows):
    print("| | A files Acc@5 whole / without names | B MRR@10 whole / without names | CPU s: index | queries |")
    print("|---|---|---|---|---|")
    for it in rows:
        index = "in all:" if it.index is None else f"{it.index:.1f}"
        print(
            f"| {it.name} | {it.a_raw:.3f} / {it.a_masked:.3f} | {it.b_raw:.3f} / {it.b_masked:.3f} "
            f"| {index} | {it.queries:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["semble", data]:
            say([semble(data)])
        case ["tantivy", data, binary]:
            say([tantivy(data, binary)])
        case ["sifs", data, binary]:
            say([sifs(data, binary)])
        case ["graftage", data, binary]:
            say([graftage(data, binary), graftage(data, binary, "search.encoder=none")])
        case ["all", data, ours, theirs, *rest]:
            rows = [graftage(data, ours), graftage(data, ours, "search.encoder=none")]
            rows += [semble(data), tantivy(data, theirs)]
            say(rows + [sifs(data, binary) for binary in rest])
        case _:
            sys.exit(__doc__)
