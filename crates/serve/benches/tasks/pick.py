#!/usr/bin/env python3
"""Picks the tasks of the bench `tasks` and writes them as `KIND.toml` and `KIND.json`:

    pick.py CLONES OUT [KIND...]

CLONES has a git clone of each repository of CRATES, by the name of its crate. Needs the Python
packages tree-sitter and tree-sitter-rust, cargo and the network (for dependencies).

The rule. Each kind has the candidates below, in each crate all of them. They are ordered by a hash of the
seed, the kind, the crate and the candidate. The first candidate that passes the checks of its kind is the
task. Each kind skips one crate in turn (`error`
and `halfdone` skip pathfinding); a crate without a task for a kind is replaced by the one that was
skipped. No candidate is looked at by a person, and none is run through either agent. To develop with, the
first task of each kind and the next ones up to twelve are chosen by the same order; the rest is reported.

where       a commit since 2019 whose changes outside of tests are in one function; its message (at least five words,
            without the name of the function, no chore) is the question, the function is the answer; tree:
            its parent, whose dependencies must resolve
tests       a function that such a commit changed and that the tip has; the answer: the tests (1 to 12) that
            fail when its body is a panic
callers     a function of the tip; the answer: the functions (2 to 12) in which rustc reports the use of an
            item that is marked as deprecated
show        a public function of the tip with documentation and eight lines of code
implements  a trait of the tip; the answer: the impls (2 to 15) where rustc reports a deprecated trait
param       a function of the tip with 2 to 12 calls; a last parameter is added, all calls pass 0
rename      a function of the tip with 3 to 15 uses; `_at` is added to its name
error       a commit since 2022 of sources only, all of it but one hunk; the library has compile errors
halfdone    a commit since 2022 of sources only; one hunk of it that changes a signature or a type; the
            library has compile errors, and at least two hunks are left
body        a commit since 2019 of sources only that changes one body; tests pass before and after it
"""
import difflib, hashlib, json, os, pathlib, re, subprocess, sys
import tree_sitter_rust
from tree_sitter import Language, Parser

SEED = "graftage-tasks-1"
CRATES = {
    "evalexpr": "ISibboI/evalexpr",
    "kdl-rs": "kdl-org/kdl-rs",
    "pathfinding": "evenfurther/pathfinding",
    "lol-html": "cloudflare/lol-html",
    "rust-rrule": "fmeringdal/rust-rrule",
}
KINDS = ["where", "tests", "callers", "show", "implements", "param", "rename", "error", "halfdone", "body"]
TRIES = 25
# Subjects of commits that describe no behaviour.
CHORE = re.compile(r"\b(bump|updat\w+|clippy|lints?|fmt|format|refactor\w*|simplif\w+|clean\w*|renam\w+|typos?|"
                   r"docs?|comments?|changelog|release|version|merge|revert|fuzz|wip|edition|idioms?)\b", re.I)
PARSER = Parser(Language(tree_sitter_rust.language()))
TEST = ["cargo", "test", "--offline", "--lib", "--tests", "--no-fail-fast"]
CHECK = ["cargo", "check", "--offline", "--lib", "--tests"]
clones = pathlib.Path(sys.argv[1])
out = pathlib.Path(sys.argv[2])


def order(kind, crate, key):
    return hashlib.sha256(f"{SEED}/{kind}/{crate}/{key}".encode()).hexdigest()


def run(crate, command, timeout=400):
    env = dict(os.environ, CARGO_TERM_COLOR="never", CARGO_BUILD_JOBS="1")
    try:
        done = subprocess.run(command, cwd=clones / crate, capture_output=True, text=True, errors="replace",
                              timeout=timeout, env=env)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", ""


def git(crate, *args):
    return run(crate, ["git", *args])[1]


def show_file(crate, commit, path):
    code, text, _ = run(crate, ["git", "show", f"{commit}:{path}"])
    return text if code == 0 else None


# Items ------------------------------------------------------------------------------------------

def field(node, name):
    child = node.child_by_field_name(name)
    return child.text.decode() if child is not None else None


def functions(text):
    """Functions and traits of a text: dicts with name, path, lines from 1, bytes, flags."""
    source, found = text.encode(), []

    def visit(node, path, test, of_trait):
        docs, attributes, begin = [], "", None
        for child in node.named_children:
            if child.type in ("line_comment", "block_comment", "attribute_item"):
                comment = child.text.decode()
                if child.type == "attribute_item":
                    attributes += comment
                elif comment.startswith(("///", "/**")):
                    docs.append(comment.strip().removeprefix("///").strip())
                else:
                    continue
                begin = child.start_point[0] + 1 if begin is None else begin
                continue
            here = test or bool(re.search(r"\b(test|bench)\b", attributes))
            body = child.child_by_field_name("body")
            if child.type in ("function_item", "trait_item") and body is not None:
                name = field(child, "name")
                found.append({
                    "what": "fn" if child.type == "function_item" else "trait", "name": name,
                    "path": "::".join([*path, name]), "test": here, "of_trait": of_trait, "docs": docs,
                    "begin": begin or child.start_point[0] + 1, "line": child.start_point[0] + 1,
                    "end": child.end_point[0] + 1, "start_byte": child.start_byte,
                    "bytes": (body.start_byte, body.end_byte), "public": child.text.startswith(b"pub "),
                    "parameters": field(child, "parameters"), "attributes": attributes,
                    "signature": source[child.start_byte:body.start_byte].decode(),
                    "const": b"const fn" in child.text[:60]})
            if child.type == "mod_item" and body is not None:
                visit(body, path, here or field(child, "name") in ("test", "tests"), False)
            elif child.type == "impl_item" and body is not None:
                kind = re.sub(r"<.*", "", field(child, "type") or "").split("::")[-1].lstrip("&")
                visit(body, [kind], here, child.child_by_field_name("trait") is not None)
            elif child.type == "trait_item" and body is not None:
                visit(body, [field(child, "name")], here, True)
            docs, attributes, begin = [], "", None

    visit(PARSER.parse(source).root_node, [], False, False)
    return found


def is_source(path):
    parts = path.split("/")
    return path.endswith(".rs") and "src" in parts and not {"tests", "benches", "examples", "fuzz",
        "tools", "c-api", "js-api", "rrule-debugger", "rrule-afl-fuzz"} & set(parts) \
        and parts[-1] not in ("tests.rs", "test.rs", "build.rs")


def sources(crate, commit="tip"):
    return [path for path in git(crate, "ls-tree", "-r", "--name-only", commit).splitlines() if is_source(path)]


def items(crate, what, commit="tip"):
    for path in sources(crate, commit):
        for it in functions(show_file(crate, commit, path) or ""):
            if it["what"] == what and not it["test"]:
                yield path, it


# Commits ----------------------------------------------------------------------------------------

def hunks_of(old, new):
    """Hunks as (first old line, number, first new line, number), near ones as one."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("a", old), ("b", new)):
            pathlib.Path(folder, name).write_text(text)
        diff = subprocess.run(["git", "diff", "--no-index", "-U0", "--histogram", "a", "b"], cwd=folder,
                              capture_output=True, text=True).stdout
    result = []
    for match in re.finditer(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", diff, re.M):
        a, n, b, m = (int(it) if it is not None else 1 for it in match.groups())
        a, b = a + (n == 0), b + (m == 0)
        if result and a - (result[-1][0] + result[-1][1]) <= 2:
            pa, _, pb, _ = result[-1]
            result[-1] = (pa, a + n - pa, pb, b + m - pb)
        else:
            result.append((a, n, b, m))
    return result


def applied(old, new, hunks):
    """`old` with these hunks of the way to `new`."""
    lines, to = old.splitlines(True), new.splitlines(True)
    for a, n, b, m in sorted(hunks, reverse=True):
        lines[a - 1:a - 1 + n] = to[b - 1:b - 1 + m]
    return "".join(lines)


def edits_of(path, old, new):
    """The change as edits whose old text is unique in `old`; None if there is no such form."""
    edits, lines, to = [], old.splitlines(True), new.splitlines(True)
    for a, n, b, m in hunks_of(old, new):
        for around in (0, 1, 2, 3, 5, 8):
            if around == 0 and n == 0:
                continue
            before, after = lines[max(a - 1 - around, 0):a - 1], lines[a - 1 + n:a - 1 + n + around]
            text = "".join(before + lines[a - 1:a - 1 + n] + after)
            if text.strip() and old.count(text) == 1:
                edits.append({"file": path, "old": text,
                              "new": "".join(before + to[b - 1:b - 1 + m] + after)})
                break
        else:
            return None
    check = old
    for edit in edits:
        if check.count(edit["old"]) != 1:
            return None
        check = check.replace(edit["old"], edit["new"])
    return edits if check == new else None


def commits(crate, since="2019"):
    """Commits with their changed Rust sources: (id, message, {path: (old, new)}, only sources)."""
    if (crate, since) in commits.known:
        return commits.known[crate, since]
    found = []
    log = git(crate, "log", "--no-merges", f"--since={since}-01-01", "--format=%H", "tip", "--", "*.rs")
    for commit in log.splitlines():
        rows = git(crate, "diff", "--raw", "--no-renames", "--abbrev=40", f"{commit}^", commit).splitlines()
        changed = [row.split("\t")[1] for row in rows]
        if any(row.split()[4] != "M" for row in rows if row.endswith(".rs")) or len(changed) > 8:
            continue
        texts = {path: (show_file(crate, f"{commit}^", path), show_file(crate, commit, path))
                 for path in changed if is_source(path)}
        if not texts or any(old is None or new is None for old, new in texts.values()):
            continue
        only = all(is_source(path) or path.endswith(".md") for path in changed)
        lines = sum(n + m for old, new in texts.values() for _, n, _, m in hunks_of(old, new))
        if lines <= 120:
            found.append((commit, git(crate, "log", "-1", "--format=%s%n%b", commit), texts, only))
    commits.known[crate, since] = found
    return found


commits.known = {}


def one_function(texts):
    """The function, outside of tests, that has all changes outside of tests; None otherwise."""
    touched = set()
    for path, (old, new) in texts.items():
        known, after = functions(old), functions(new)
        for a, n, b, m in hunks_of(old, new):
            inside = lambda fs, line, many: [f for f in fs if f["what"] == "fn" and f["line"] <= line
                                             and line + max(many, 1) - 1 <= f["end"]]
            here, there = inside(known, a, n), inside(after, b, m)
            if here and here[-1]["test"] or there and there[-1]["test"]:
                continue
            if not here or not there or here[-1]["path"] != there[-1]["path"]:
                return None
            touched.add((path, here[-1]["path"], here[-1]["line"], here[-1]["signature"] == there[-1]["signature"]))
    return next(iter(touched)) if len(touched) == 1 else None


def message_of(text):
    """Subject and first words of a message, without trailers, links and numbers of issues."""
    lines = [line for line in text.splitlines() if not re.match(r"[A-Z][\w-]+: |\(cherry|https?:", line)]
    text = re.sub(r"https?://\S+|\(?#\d+\)?", "", " ".join(lines))
    return " ".join(text.split()[:60])


# The state of a clone ---------------------------------------------------------------------------

def checkout(crate, commit, texts=None):
    run(crate, ["git", "checkout", "-q", "-f", "--detach", commit])
    run(crate, ["git", "clean", "-q", "-f", "-d", "-e", "target", "-e", "Cargo.lock"])
    (clones / crate / "rust-toolchain.toml").unlink(missing_ok=True)
    for path, text in (texts or {}).items():
        (clones / crate / path).write_text(text)
    code, _, _ = run(crate, ["cargo", "fetch", "--offline"])
    if code != 0:
        run(crate, ["cargo", "fetch"])


def errors(crate):
    """Number of compile errors of the library; None where cargo failed otherwise."""
    code, _, log = run(crate, ["cargo", "check", "--offline", "--lib", "--message-format=short"])
    found = len(re.findall(r"^\S+?\.rs:\d+:\d+: error", log, re.M))
    return 0 if code == 0 else found or None


def tests(crate):
    """All tests and those that fail; None if they do not build."""
    code, text, log = run(crate, TEST)
    rows = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED)", text, re.M)
    if not rows or (code != 0 and not any(state == "FAILED" for _, state in rows)):
        return None
    return {name for name, _ in rows}, {name for name, state in rows if state == "FAILED"}


def passes(crate):
    result = tests(crate)
    return result is not None and not result[1]


def uses(crate, path, item):
    """Spans where rustc reports a use of the item, marked as deprecated: (file, line, byte, text)."""
    checkout(crate, "tip")
    file = clones / crate / path
    source = file.read_bytes()
    file.write_bytes(source[:item["start_byte"]] + b"#[deprecated] " + source[item["start_byte"]:])
    text = run(crate, CHECK + ["--message-format=json"])[1]
    checkout(crate, "tip")
    found = set()
    for row in text.splitlines():
        message = json.loads(row).get("message") if row.startswith("{") else None
        if not message or (message.get("code") or {}).get("code") != "deprecated":
            # A crate that denies warnings reports the uses as errors; all other errors are of our mark.
            if message and message["level"] == "error" and message["spans"]:
                return None
            continue
        if f"{item['name']}`" not in message["message"]:
            continue
        for span in message["spans"]:
            if span["is_primary"]:
                if span["expansion"] is not None:
                    return None
                shift = 14 if span["file_name"] == path and span["byte_start"] > item["start_byte"] else 0
                found.add((span["file_name"], span["line_start"], span["byte_start"] - shift))
    return sorted(found)



# Kinds ------------------------------------------------------------------------------------------

def pick_where(crate):
    for commit, message, texts, _ in commits(crate):
        where, words = one_function(texts), message_of(message)
        if where and len(words.split()) >= 5 and not CHORE.search(message.splitlines()[0]):
            path, name, line, _ = where
            if not re.search(rf"\b{name.split('::')[-1]}\b", words):
                task = {"text": f"Where must this be done? {words}", "tree": f"{commit}^",
                        "gold": [f"{path}:{line}"], "item": name}

                def make(commit=commit, task=task):
                    checkout(crate, f"{commit}^")
                    return task if run(crate, ["cargo", "metadata", "--format-version=1"])[0] == 0 else None
                yield commit, make


def pick_tests(crate):
    present = {(path, it["path"]): it for path, it in items(crate, "fn")}
    changed = set()
    for _, _, texts, _ in commits(crate):
        where = one_function(texts)
        if where and where[:2] in present:
            changed.add(where[:2])
    for path, name in sorted(changed):
        it = present[path, name]

        def make(path=path, name=name, it=it):
            checkout(crate, "tip")
            before = tests(crate)
            file = clones / crate / path
            source = file.read_bytes()
            body = b'{ panic!("broken to see which tests notice") }'
            file.write_bytes(source[:it["bytes"][0]] + body + source[it["bytes"][1]:])
            after = tests(crate)
            if not before or not after or not 1 <= len(after[1] - before[1]) <= 12:
                return None
            return {"text": f"Which tests cover `{name}` in {path}?", "item": name, "file": path,
                    "gold": sorted(after[1] - before[1])}
        yield f"{path}:{name}", make


def enclosing(crate, found):
    result = set()
    for path, line, _ in found:
        inside = [it for it in functions(show_file(crate, "tip", path) or "") if it["line"] <= line <= it["end"]
                  and it["what"] == "fn"]
        if inside:
            result.add(f"{path}:{inside[-1]['line']}:{inside[-1]['name']}")
    return sorted(result)


def plain(crate):
    """Functions that may be marked and changed: not of a trait, and not recursive."""
    for path, it in items(crate, "fn"):
        body = (show_file(crate, "tip", path) or "").encode()[it["bytes"][0]:it["bytes"][1]].decode()
        if not it["of_trait"] and it["name"] != "main" and not re.search(rf"\b{it['name']}\b", body):
            yield path, it


def pick_callers(crate):
    for path, it in plain(crate):
        def make(path=path, it=it):
            found = uses(crate, path, it)
            gold = enclosing(crate, found) if found else []
            return {"text": f"Which functions call `{it['path']}` in {path}?", "item": it["path"], "file": path,
                    "gold": gold} if 2 <= len(gold) <= 12 else None
        yield f"{path}:{it['path']}", make


def pick_show(crate):
    for path, it in items(crate, "fn"):
        if it["public"] and it["docs"] and it["end"] - it["line"] >= 8:
            yield f"{path}:{it['path']}", lambda path=path, it=it: {
                "text": f"Show `{it['path']}` with its documentation.", "item": it["path"], "file": path,
                "gold": [f"{path}:{it['begin']}-{it['end']}"]}


def pick_implements(crate):
    for path, it in items(crate, "trait"):
        def make(path=path, it=it):
            found = uses(crate, path, it)
            gold = []
            for file, line, _ in found or []:
                text = (show_file(crate, "tip", file) or "").splitlines()[line - 1]
                if re.search(rf"\bimpl\b.*\b{it['name']}\b.*\bfor\b", text):
                    gold.append(f"{file}:{line}")
            gold = sorted(set(gold))
            return {"text": f"What implements the trait `{it['name']}`?", "item": it["name"], "file": path,
                    "gold": gold} if 2 <= len(gold) <= 15 else None
        yield f"{path}:{it['name']}", make


def mentioned(crate, name):
    """Whether documentation, examples or benches have the name."""
    return run(crate, ["git", "grep", "-qwE", rf"^\s*//[/!].*\b{name}\b", "--", "*.rs"])[0] == 0 \
        or run(crate, ["git", "grep", "-qw", name, "--", "*.md", "*examples/*", "*benches/*"])[0] == 0


def changed_everywhere(crate, path, it, found, change):
    """The edits of a change at the definition (`change(text, None)`) and at all uses."""
    texts = {}
    for file, _, byte in [(path, 0, None), *reversed(found)]:
        old = texts.get(file, (show_file(crate, "tip", file),) * 2)
        texts.setdefault(file, old)
    spots = {}
    for file, _, byte in found:
        spots.setdefault(file, set()).add(byte)
    result = {}
    for file, (old, _) in texts.items():
        data = old.encode()
        marks = [(byte, False) for byte in spots.get(file, ())]
        if file == path:
            marks.append((it["start_byte"] + it["signature"].encode().index(b"fn " + it["name"].encode()) + 3, True))
        for byte, is_definition in sorted(marks, reverse=True):
            data = change(data, byte, is_definition)
            if data is None:
                return None
        result[file] = (old, data.decode())
    return result


def two_parts(path, it, result):
    """Edits of the definition, and those of the uses; None if they cannot be told apart."""
    decided, rest = [], []
    for file, (old, new) in result.items():
        edits = edits_of(file, old, new)
        if edits is None:
            return None
        for edit in edits:
            first = old[:old.index(edit["old"])].count("\n") + 1
            last = first + edit["old"].count("\n")
            is_definition = file == path and first <= it["line"] + it["signature"].count("\n") and last > it["line"]
            (decided if is_definition else rest).append(edit)
    return (decided, rest) if len(decided) == 1 and rest else None


def edit_task(crate, path, it, change, text, least, most):
    if mentioned(crate, it["name"]) or it["const"]:
        return None
    found = uses(crate, path, it)
    if found is None or not least <= len(found) <= most:
        return None
    result = changed_everywhere(crate, path, it, found, change)
    parts = result and two_parts(path, it, result)
    if not parts:
        return None
    checkout(crate, "tip", {file: new for file, (_, new) in result.items()})
    if not passes(crate):
        return None
    return {"text": text, "item": it["path"], "file": path, "decided": parts[0], "rest": parts[1]}


def pick_param(crate):
    def change(data, byte, is_definition):
        name = re.match(rb"\w+", data[byte:])
        at = byte + name.end()
        at += len(re.match(rb"(::)?(<[^()]*?>)?", data[at:])[0])
        if data[at:at + 1] != b"(":
            return None
        depth, end = 0, at
        for end in range(at, len(data)):
            depth += {40: 1, 41: -1}.get(data[end], 0)
            if depth == 0:
                break
        inside = data[at + 1:end]
        added = b"_depth: usize" if is_definition else b"0"
        if not inside.strip():
            inside = added
        elif inside.rstrip().endswith(b","):
            stripped = inside.rstrip()
            indent = re.match(rb"\n\s*", inside)
            inside = stripped + (indent[0] if indent else b" ") + added + b"," + inside[len(stripped):]
        else:
            inside = inside + b", " + added
        return data[:at + 1] + inside + data[end:]
    for path, it in plain(crate):
        text = (f"Add a last parameter `_depth: usize` to `{it['path']}` in {path}; all calls pass 0.")
        yield f"{path}:{it['path']}", lambda path=path, it=it, text=text: edit_task(crate, path, it, change, text, 2, 12)


def pick_rename(crate):
    for path, it in plain(crate):
        new = f"{it['name']}_at"

        def make(path=path, it=it, new=new):
            if run(crate, ["git", "grep", "-qw", new])[0] == 0:
                return None
            name = it["name"].encode()

            def change(data, byte, _):
                if data[byte:byte + len(name)] != name:
                    return None
                return data[:byte] + new.encode() + data[byte + len(name):]
            text = f"Rename `{it['path']}` in {path} to `{new}`."
            return edit_task(crate, path, it, change, text, 3, 15)
        yield f"{path}:{it['path']}", make


def partly(crate, commit, texts, begun):
    """The task of a commit of which the hunks `begun` are in the tree: [(path, hunk)]."""
    start = {path: applied(old, new, [hunk for file, hunk in begun if file == path])
             for path, (old, new) in texts.items()}
    rest, done = [], []
    for path, (old, new) in texts.items():
        left, made = edits_of(path, start[path], new), edits_of(path, old, start[path])
        if left is None or made is None:
            return None
        rest += left
        done += made
    checkout(crate, f"{commit}^", start)
    if not errors(crate):
        return None
    if (crate, commit) not in partly.known:
        checkout(crate, f"{commit}^")
        builds = errors(crate) == 0
        checkout(crate, commit)
        partly.known[crate, commit] = builds and passes(crate)
    return {"tree": f"{commit}^", "done": commit, "begun": done, "rest": rest} if partly.known[crate, commit] else None


partly.known = {}


def all_hunks(texts):
    return [(path, hunk) for path, (old, new) in texts.items() for hunk in hunks_of(old, new)]


def pick_error(crate):
    for commit, message, texts, only in commits(crate, "2022"):
        hunks = all_hunks(texts)
        if not only or not 2 <= len(hunks) <= 14:
            continue
        for number, hunk in enumerate(hunks):
            def make(commit=commit, message=message, texts=texts, hunks=hunks, hunk=hunk):
                task = partly(crate, commit, texts, [it for it in hunks if it != hunk])
                return task and task | {"text": f"The build fails; fix it. Under way: {message_of(message)}"}
            yield f"{commit}:{number}", make


def pick_halfdone(crate):
    for commit, message, texts, only in commits(crate, "2022"):
        hunks = all_hunks(texts)
        if not only or not 3 <= len(hunks) <= 14:
            continue
        for number, (path, hunk) in enumerate(hunks):
            old, new = (text.splitlines() for text in texts[path])
            a, n, b, m = hunk
            lines = old[a - 1:a - 1 + n] + new[b - 1:b - 1 + m]
            if n and m and any(re.match(r"\s*(pub(\(\w+\))? )?(const |async |unsafe )*(fn|struct|enum|trait|type) ", line)
                               for line in lines):
                def make(commit=commit, message=message, texts=texts, hunk=(path, hunk)):
                    task = partly(crate, commit, texts, [hunk])
                    return task and task | {"text": f"Complete the change that is begun: {message_of(message)}"}
                yield f"{commit}:{number}", make


def pick_body(crate):
    for commit, message, texts, only in commits(crate):
        where = one_function(texts) if only and len(texts) == 1 else None
        if not where or not where[3]:
            continue

        def make(commit=commit, message=message, texts=texts, where=where):
            path, (old, new) = next(iter(texts.items()))
            rest = edits_of(path, old, new)
            for tree in (f"{commit}^", commit):
                checkout(crate, tree)
                if rest is None or not passes(crate):
                    return None
            return {"text": f"Change `{where[1]}` in {path}: {message_of(message)}", "item": where[1],
                    "file": path, "tree": f"{commit}^", "done": commit, "rest": rest}
        yield commit, make


# Output -----------------------------------------------------------------------------------------

def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def recorded(edit, start, done):
    """An edit without the text of the crate: lines of the file before it, and what takes their place: lines
    of that file (`start`) or of the commit (`done`), or splices (character, number, text)."""
    first = start[:start.index(edit["old"])].count("\n") + 1
    row = {"file": edit["file"], "lines": [first, first + edit["old"].count("\n") - 1]}
    if done is None:
        changes = difflib.SequenceMatcher(None, edit["old"], edit["new"], autojunk=False).get_opcodes()
        row["splices"] = [[a, b - a, edit["new"][c:d]] for what, a, b, c, d in changes if what != "equal"]
        return row
    old, new, lines = edit["old"].splitlines(), edit["new"].splitlines(), done.splitlines()
    parts = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            parts.append(f"start {first + a}-{first + b - 1}")
        elif c < d:
            at = next(at for at in range(len(lines)) if lines[at:at + d - c] == new[c:d])
            parts.append(f"done {at + 1}-{at + d - c}")
    row["new"] = parts
    return row


def written(task):
    crate = next(name for name, repo in CRATES.items() if repo == task["repo"])
    rows = ["[[task]]"]
    for key in ("id", "kind", "split", "repo", "tree", "done", "text", "item", "file"):
        if task.get(key):
            rows.append(f"{key} = {quoted(task[key])}")
    if task.get("gold"):
        rows.append("gold = [" + ", ".join(quoted(it) for it in task["gold"]) + "]")
    start = {}
    for part in ("begun", "decided", "rest"):
        for edit in task.get(part, []):
            path = edit["file"]
            before = start.get(path) or show_file(crate, task["tree"], path)
            row = recorded(edit, before, show_file(crate, task["done"], path) if task.get("done") else None)
            rows.append(f"\n[[task.{part}]]")
            rows += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in row.items()]
        for edit in task.get("begun", []) if part == "begun" else []:
            path = edit["file"]
            start[path] = (start.get(path) or show_file(crate, task["tree"], path)).replace(edit["old"], edit["new"])
    return "\n".join(rows) + "\n"


def pick(kind, crate):
    run(crate, ["git", "checkout", "-q", "-f", "--detach", "tip"])
    candidates = sorted(globals()[f"pick_{kind}"](crate), key=lambda it: order(kind, crate, it[0]))
    for number, (key, make) in enumerate(candidates[:TRIES]):
        task = make()
        print(kind, crate, number, len(candidates), key, "taken" if task else "-", file=sys.stderr, flush=True)
        if task:
            checkout(crate, "tip")
            tree = git(crate, "rev-parse", task.get("tree", "tip")).strip()
            return task | {"id": f"{kind}-{crate}", "kind": kind, "repo": CRATES[crate], "tree": tree}
    return None


def main():
    names = list(CRATES)
    for crate in names:
        if run(crate, ["git", "rev-parse", "-q", "--verify", "tip"])[0] != 0:
            run(crate, ["git", "tag", "tip", "HEAD"])
    for kind in sys.argv[3:] or KINDS:
        # The development dependencies of pathfinding are others in most of its commits, and take minutes.
        many_commits = kind in ("error", "halfdone")
        skipped = "pathfinding" if many_commits else names[KINDS.index(kind) % len(names)]
        turns, found = [it for it in names if it != skipped] + [skipped], []
        for crate in turns:
            if len(found) < 4 and (task := pick(kind, crate)):
                found.append(task)
        (out / f"{kind}.json").write_text(json.dumps(found, indent=1))
    tasks = [task for kind in KINDS if (out / f"{kind}.json").exists()
             for task in json.loads((out / f"{kind}.json").read_text())]
    tasks.sort(key=lambda it: order("split", "", it["id"]))
    first = [next(task for task in tasks if task["kind"] == kind) for kind in KINDS
             if any(task["kind"] == kind for task in tasks)]
    chosen = (first + [task for task in tasks if task not in first])[:12]
    for kind in KINDS:
        rows = [written(task | {"split": "choose" if task in chosen else "report"})
                for task in sorted(tasks, key=lambda it: it["id"]) if task["kind"] == kind]
        if rows:
            (out / f"{kind}.toml").write_text("\n".join(rows))


main()
