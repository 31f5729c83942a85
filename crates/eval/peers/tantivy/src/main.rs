//! A plain BM25 with tantivy: `peer-tantivy DOCUMENTS.jsonl QUERIES.jsonl`, lines of `{id, text}`
//! each; prints a line `{id, found}` for each query with the ids of the best 50, then `{documents,
//! index_cpu_ms, query_cpu_ms}` on stderr.
//!
//! Invariant: tantivy's own defaults and nothing of ours, so that the figure is the peer's.

use std::error::Error;
use std::fs;

use serde_json::{Value, json};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, STORED, STRING, Schema, TEXT, Value as _};
use tantivy::{Index, TantivyDocument, Term, doc};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, documents, queries] = args.as_slice() else {
        return Err("usage: peer-tantivy DOCUMENTS.jsonl QUERIES.jsonl".into());
    };
    let (documents, queries) = (lines(documents)?, lines(queries)?);
    let began = cpu_ms()?;
    let mut schema = Schema::builder();
    let id = schema.add_text_field("id", STRING | STORED);
    let text = schema.add_text_field("text", TEXT);
    let index = Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, 64 << 20)?;
    for (name, body) in &documents {
        writer.add_document(doc!(id => name.as_str(), text => body.as_str()))?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let indexed = cpu_ms()?;
    let mut analyzer = index.tokenizer_for_field(text)?;
    for (name, query) in &queries {
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
        println!("{}", json!({ "id": name, "found": ids }));
    }
    let done = cpu_ms()?;
    eprintln!(
        "{}",
        json!({ "documents": documents.len(), "index_cpu_ms": indexed - began, "query_cpu_ms": done - indexed })
    );
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
