//! Counts the results of killing a writer at random moments.

#![allow(clippy::disallowed_methods, reason = "the bench kills copies of itself")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base::EdgeKind;
use graftage_store::{GraphStore, MapChange, MapRows, ScriptLimits, Store};

/// Kills `count` writers after varying times, and checks what they leave.
pub(super) fn kills(count: u32) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(&super::places(dir.path())).expect("a store");
    store.import(&super::rows(400), 1).expect("import");
    let (mut torn, mut lost, mut troubles, mut advanced) = (0, 0, 0, 0);
    let mut former = 1;
    for number in 0..count {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["writer".as_ref(), dir.path().as_os_str()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a writer");
        std::thread::sleep(Duration::from_millis(u64::from(40 + number * 37 % 600)));
        child.kill().expect("the kill");
        let output = child.wait_with_output().expect("its end");
        let acknowledged = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| line.parse::<u64>().ok())
            .next_back()
            .unwrap_or(former);
        let after = Store::open(&super::places(dir.path())).expect("a store");
        let epoch = after.epoch().expect("the epoch").unwrap_or(0);
        lost += u32::from(epoch < acknowledged);
        torn += u32::from(!is_whole(&after, epoch));
        troubles += after.troubles().len();
        advanced += u32::from(epoch > former);
        former = epoch;
    }
    println!(
        "{count} kills: {torn} torn, {lost} acknowledged but lost, {troubles} moved away, {advanced} wrote something"
    );
}

/// All rows of a state contain its number.
fn is_whole(store: &Store, epoch: u64) -> bool {
    let ask = |script: &str| store.query(script, &ScriptLimits::default()).expect("rows").rows;
    let nodes = ask("?[line, count(id)] := *isg_nodes{id, line, name}, starts_with(name, 'epoch')");
    let edges =
        ask("?[sites, count(src_id)] := *isg_edges{src_id, dst_id, kind: 'DEPENDS', sites}");
    let (Ok(state), true) = (i64::try_from(epoch), epoch > 1) else { return epoch == 1 };
    let want = serde_json::json!([[state, 300]]);
    serde_json::json!(nodes) == want && serde_json::json!(edges) == want
}

/// Writes one state after the other, by import and by update, and prints each after it is written.
pub(super) fn writer(args: &[String]) {
    let dir = args.first().expect("a folder");
    let store = Store::open(&super::places(Path::new(dir))).expect("a store");
    let start = Instant::now();
    let mut epoch = store.epoch().expect("the epoch").unwrap_or(0);
    while start.elapsed() < Duration::from_secs(30) {
        epoch += 1;
        let mut rows = MapRows::default();
        for number in 0..300_u32 {
            let mut node = super::node(100_000 + number);
            node.name = format!("epoch_{number}");
            node.location.line = u32::try_from(epoch).expect("few states");
            rows.edges.push(graftage_store::IsgEdgeRow {
                src: node.id,
                dst: super::id(number),
                kind: EdgeKind::Depends,
                weight: 1.0,
                provenance: base::Provenance::Ra,
                tier: base::Tier::Candidate,
                sites: u32::try_from(epoch).expect("few states"),
            });
            rows.nodes.push(node);
        }
        if epoch.is_multiple_of(5) {
            store.import(&rows, epoch).expect("import");
        } else {
            store.update(&MapChange { rows, ..MapChange::default() }, epoch).expect("update");
        }
        println!("{epoch}");
    }
}
