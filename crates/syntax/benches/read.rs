//! What reading costs beside the parse alone: `cargo bench -p graftage-syntax --bench read -- <folder>`.
//! CPU seconds of this thread would be better than wall time; on an idle machine they are the same.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads and prints")]

#[path = "support/files.rs"]
mod files;

use std::time::{Duration, Instant};

fn main() {
    let texts = files::rust_texts();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} files, {bytes} bytes", texts.len());
    let mut facts = (0, 0, 0);
    let mut best: Vec<(&str, Duration)> = Vec::new();
    for _ in 0..5 {
        let mut run = |name: &'static str, work: &mut dyn FnMut(&str)| {
            let start = Instant::now();
            texts.iter().for_each(|it| work(it));
            let took = start.elapsed();
            match best.iter_mut().find(|it| it.0 == name) {
                Some(it) => it.1 = it.1.min(took),
                None => best.push((name, took)),
            }
        };
        run("parse", &mut |text| drop(std::hint::black_box(graftage_syntax::parse(text))));
        facts = (0, 0, 0);
        run("read", &mut |text| {
            let read = std::hint::black_box(graftage_syntax::read(text));
            facts.0 += read.file.items.len();
            facts.1 += read.decls.iter().filter(|it| it.in_macro_call).count();
            facts.2 += read.bodies.iter().map(|it| it.exprs.len()).sum::<usize>();
        });
        let read: Vec<_> = texts.iter().map(|it| graftage_syntax::parse(it)).collect();
        let mut files = texts.iter().zip(&read);
        run("token hashes", &mut |_| {
            if let Some((text, file)) = files.next() {
                drop(std::hint::black_box(graftage_syntax::token_hashes(text, file)));
            }
        });
        let mut files = texts.iter().zip(&read);
        run("signatures", &mut |_| {
            if let Some((text, file)) = files.next() {
                for item in &file.items {
                    drop(std::hint::black_box(graftage_syntax::signature_of(text, item)));
                }
            }
        });
    }
    println!("{} items, {} of them in macro calls, {} expressions", facts.0, facts.1, facts.2);
    for (name, took) in best {
        println!("{name}: {:.3} s", took.as_secs_f64());
    }
}
