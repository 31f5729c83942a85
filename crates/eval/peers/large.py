#!/usr/bin/env python3
"""Puts published crates together as workspaces of growing size, to see how costs grow:

    large.py DIR LINES...

One workspace a size, `DIR/LINES`: crates of cargo's registry folder in the order of their names,
one version each, none of generated bindings, until the lines are reached. Sources stay as
published; manifests are made anew, with the features of the published ones and with those
dependencies that are members too, so that cargo can describe the workspace without a registry.
"""
import pathlib, re, shutil, sys, tomllib, os

out = pathlib.Path(sys.argv[1])
sizes = sorted(int(size) for size in sys.argv[2:])
registry = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry/src"
SMALLEST, LARGEST = 2_000, 60_000
GENERATED = re.compile(r"(-sys$|^windows|^winapi|^web-sys|^aws-sdk|bindings)")


def newest():
    best = {}
    for folder in registry.glob("*/*"):
        if match := re.fullmatch(r"(.+)-(\d+)\.(\d+)\.(\d+)([+-].*)?", folder.name):
            name, version = match[1], tuple(int(part) for part in match.group(2, 3, 4))
            if name not in best or best[name][0] < version:
                best[name] = (version, folder)
    return {name: folder for name, (_, folder) in sorted(best.items())}


def lines_of(folder):
    return sum(file.read_bytes().count(b"\n") for file in folder.rglob("*.rs"))


def depends(manifest):
    tables = [manifest.get("dependencies", {})]
    tables += [target.get("dependencies", {}) for target in manifest.get("target", {}).values()]
    for table in tables:
        for name, said in table.items():
            yield said.get("package", name) if isinstance(said, dict) else name


def reaches(edges, start, goal):
    seen, todo = set(), [start]
    while todo:
        at = todo.pop()
        if at == goal:
            return True
        if at not in seen:
            seen.add(at)
            todo += edges.get(at, ())
    return False


def workspace(root, members):
    shutil.rmtree(root, ignore_errors=True)
    edges = {}
    for name, (folder, manifest) in members.items():
        shutil.copytree(folder, root / name, ignore=shutil.ignore_patterns("Cargo.*", ".cargo*", "target"))
        edges[name] = []
        for other in sorted(set(depends(manifest))):
            if other in members and other != name and not reaches(edges, other, name):
                edges[name].append(other)
        package = manifest["package"]
        text = f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "{package.get("edition", "2015")}"\n'
        text += "build = false\nautobenches = false\n"
        library = manifest.get("lib", {})
        text += "\n[lib]\n" if (root / name / library.get("path", "src/lib.rs")).exists() else ""
        if text.endswith("[lib]\n"):
            text += f'path = "{library.get("path", "src/lib.rs")}"\n'
            text += "proc-macro = true\n" if library.get("proc-macro") else ""
        elif not (root / name / "src/main.rs").exists():
            shutil.rmtree(root / name)
            del edges[name]
            continue
        text += "\n[features]\n" + "".join(f'"{feature}" = []\n' for feature in manifest.get("features", {}))
        text += "\n[dependencies]\n" + "".join(f'{other} = {{ path = "../{other}" }}\n' for other in edges[name])
        (root / name / "Cargo.toml").write_text(text)
    listed = ", ".join(f'"{name}"' for name in edges)
    (root / "Cargo.toml").write_text(f'[workspace]\nresolver = "2"\nmembers = [{listed}]\n')
    return len(edges)


members, lines, todo = {}, 0, list(sizes)
for name, folder in newest().items():
    if not todo:
        break
    if GENERATED.search(name) or not (folder / "Cargo.toml").exists():
        continue
    size = lines_of(folder)
    if not SMALLEST <= size <= LARGEST:
        continue
    members[name] = (folder, tomllib.loads((folder / "Cargo.toml").read_text()))
    lines += size
    while todo and lines >= todo[0]:
        root = out / str(todo.pop(0))
        print(f"{root}: {workspace(root, members)} crates, {lines} lines")
