//! A plain BM25 with tantivy: `peer-tantivy DOCUMENTS.jsonl QUERIES.jsonl FOLDER`, lines of `{id,
//! text}` each. Makes an index in FOLDER, or opens the one that is there. Prints a line `{id, found,
//! us}` for each query with the ids of the best 50 and the microseconds that it took, then
//! `{index_cpu_ms, query_cpu_ms}`.
//!
//! Invariant: tantivy's own defaults and nothing of ours, so that the figure is the peer's.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, STORED, STRING, Schema, TEXT, Value as _};
use tantivy::{Index, IndexWriter, TantivyDocument, Term, doc};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, documents, queries, folder] = args.as_slice() else {
        return Err("usage: peer-tantivy DOCUMENTS.jsonl QUERIES.jsonl FOLDER".into());
    };
    let queries = lines(queries)?;
    let mut schema = Schema::builder();
    let id = schema.add_text_field("id", STRING | STORED);
    let text = schema.add_text_field("text", TEXT);
    let schema = schema.build();
    let (index, began) = if Path::new(folder).join("meta.json").exists() {
        (Index::open_in_dir(folder)?, cpu_ms()?)
    } else {
        let documents = lines(documents)?;
        let began = cpu_ms()?;
        fs::create_dir_all(folder)?;
        let index = Index::create_in_dir(folder, schema)?;
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 64 << 20)?;
        for (name, body) in &documents {
            writer.add_document(doc!(id => name.as_str(), text => body.as_str()))?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        (index, began)
    };
    let searcher = index.reader()?.searcher();
    let indexed = cpu_ms()?;
    let mut analyzer = index.tokenizer_for_field(text)?;
    for (name, query) in &queries {
        let began = Instant::now();
        let mut terms: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        analyzer.token_stream(query).process(&mut |token| {
            let term = Term::from_field_text(text, &token.text);
            let term = TermQuery::new(term, IndexRecordOption::WithFreqs);
            terms.push((Occur::Should, Box::new(term)));
        });
        let found = searcher.search(&BooleanQuery::new(terms), &TopDocs::with_limit(50).order_by_score())?;
        let mut ids = Vec::new();
        for (_, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            ids.extend(document.get_first(id).and_then(|it| it.as_str()).map(str::to_owned));
        }
        println!("{}", json!({ "id": name, "found": ids, "us": began.elapsed().as_micros() as u64 }));
    }
    let done = cpu_ms()?;
    println!("{}", json!({ "index_cpu_ms": indexed - began, "query_cpu_ms": done - indexed }));
    Ok(())
}

fn lines(path: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut all = Vec::new();
    for line in fs::read_to_string(path)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let of = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        all.push((of("id"), of("text")));
    }
    Ok(all)
}

/// Processor time of this process, in steps of a hundredth of a second.
fn cpu_ms() -> Result<u64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    Ok((ticks(11) + ticks(12)) * 10)
}
