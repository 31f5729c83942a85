// The hostile project's own code around `script.rs`: each part of it runs its phase.

fn act(phase: &str) {
    let path = |name: &str| std::path::PathBuf::from(std::env::var_os(name).unwrap_or_default());
    let (target, own) = (path("CARGO_TARGET_DIR"), path("CARGO_MANIFEST_DIR"));
    let script = std::fs::read_to_string(own.join("attack.txt"))
        .or_else(|_| std::fs::read_to_string(own.join("../attack.txt")));
    let values = [("T", target), ("M", own), ("HOME", path("HOME")), ("TMP", path("TMPDIR"))];
    let (mut out, mut errors) = (std::io::stdout(), std::io::stderr());
    script::run(&script.unwrap_or_default(), phase, &values, (&mut out, &mut errors));
}
