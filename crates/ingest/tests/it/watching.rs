//! Tests of the watch.

use std::sync::mpsc::channel;
use std::time::Duration;

use graftage_ingest::Options;
use testkit::TestHost;

use crate::kit::{index, shapes};

#[test]
fn a_watch_reports_each_change_until_it_is_cancelled() {
    let project = shapes();
    let host = TestHost::new();
    let ctx = host.ctx();
    let mut index = index(&project);
    let reader = index.reader();
    let (sender, reports) = channel();
    let patience = Duration::from_secs(60);
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            index.watch(&ctx, &Options::default(), &mut |report| {
                // The receiver is dropped when the test has ended.
                let _ = sender.send(report.clone());
            })
        });
        let first = reports.recv_timeout(patience).unwrap();
        project.write("src/util.rs", "pub fn double(n: f64) -> f64 { n }\npub fn fresh() {}\n");
        let second = reports.recv_timeout(patience).unwrap();
        assert!(second.epoch > first.epoch);
        assert!(!reader.map().by_name("fresh").is_empty());
        // A directory that did not exist when the watch began.
        project.write("src/deep/down/mod.rs", "pub fn below() {}\n");
        while reader.map().by_name("below").is_empty() {
            reports.recv_timeout(patience).unwrap();
        }
        project.write("src/deep/down/mod.rs", "pub fn renamed() {}\n");
        while reader.map().by_name("renamed").is_empty() {
            reports.recv_timeout(patience).unwrap();
        }
        host.cancel();
        assert!(watch.join().unwrap().is_ok());
    });
}
