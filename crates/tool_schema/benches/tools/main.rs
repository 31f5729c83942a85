//! Whether the right tool is found for an intent, beside plain BM25 over the same text.
//!
//! `schemas.jsonl` has the tools of 30 public MCP servers: names and arguments are theirs, descriptions
//! are ours, and a name begins with the one of its server, as clients show it. The intents are what a user
//! would type, written before the descriptions; of several right tools, one is enough. They are divided by
//! server: `fit` for changes, `choose` for a choice between versions, `report` for the published figure.
//! Arguments: the parts to measure, `fit` without any; `misses` lists intents that are not among five.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints its figures")]

use base::SortedMap;

use graftage_tool_schema::{ToolIndex, ToolSchema};
use serde::Deserialize;

const SCHEMAS: &str = include_str!("schemas.jsonl");
const PARTS: [(&str, &str); 3] = [
    ("fit", include_str!("fit.jsonl")),
    ("choose", include_str!("choose.jsonl")),
    ("report", include_str!("report.jsonl")),
];

#[derive(Deserialize)]
struct Case {
    intent: String,
    tools: Vec<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let tools: Vec<ToolSchema> =
        SCHEMAS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (index, plain) = (ToolIndex::new(&tools), Plain::new(&tools));
    let hybrid = |intent: &str| -> Vec<String> {
        index.search(intent, 5).into_iter().map(|hit| hit.name).collect()
    };
    let is_wanted = |part: &str| args.iter().any(|arg| arg == part);
    let is_any = PARTS.iter().any(|(part, _)| is_wanted(part));
    let misses = is_wanted("misses");
    println!("{} tools", tools.len());
    for (part, cases) in
        PARTS.iter().filter(|(part, _)| is_wanted(part) || (!is_any && *part == "fit"))
    {
        let cases: Vec<Case> =
            cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        measure(part, "ToolIndex", &cases, misses, &hybrid);
        measure(part, "plain BM25", &cases, misses, &|intent| plain.search(intent));
    }
}

fn measure(
    part: &str,
    name: &str,
    cases: &[Case],
    misses: bool,
    search: &dyn Fn(&str) -> Vec<String>,
) {
    let (mut first, mut fifth) = (0, 0);
    for case in cases {
        let found = search(&case.intent);
        let is_right = |name: &String| case.tools.contains(name);
        first += usize::from(found.first().is_some_and(is_right));
        fifth += usize::from(found.iter().any(is_right));
        if misses && !found.iter().any(is_right) {
            println!("  {name}: {} -> {:?}, found {found:?}", case.intent, case.tools);
        }
    }
    println!("{part}, {name}: {} intents, Recall@1 {first}, Recall@5 {fifth}", cases.len());
}

/// BM25 over the words of name, description and arguments, as a full text search has it.
struct Plain {
    tools: Vec<(String, SortedMap<String, f32>, f32)>,
}

impl Plain {
    fn new(tools: &[ToolSchema]) -> Self {
        let tool = |tool: &ToolSchema| {
            let mut text = format!("{}\n{}", tool.name, tool.description);
            for (name, argument) in tool.input_schema["properties"].as_object().unwrap() {
                let description = argument["description"].as_str().unwrap_or_default();
                text.push_str(&format!("\n{name}\n{description}"));
            }
            let mut counts = SortedMap::new();
            search::tokens(&text, &mut |term| *counts.entry(term.to_owned()).or_default() += 1.0);
            let length = counts.values().sum();
            (tool.name.clone(), counts, length)
        };
        Self { tools: tools.iter().map(tool).collect() }
    }

    fn search(&self, intent: &str) -> Vec<String> {
        let mut terms = Vec::new();
        search::tokens(intent, &mut |term| terms.push(term.to_owned()));
        let all = self.tools.len() as f32;
        let mean = self.tools.iter().map(|(.., length)| length).sum::<f32>() / all;
        let mut scores = vec![0.0; self.tools.len()];
        for term in &terms {
            let with = self.tools.iter().filter(|(_, counts, _)| counts.contains_key(term)).count();
            let idf = (1.0 + (all - with as f32 + 0.5) / (with as f32 + 0.5)).ln();
            for ((_, counts, length), score) in self.tools.iter().zip(&mut scores) {
                let count = counts.get(term).copied().unwrap_or_default();
                *score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean));
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        order.into_iter().take(5).map(|at| self.tools[at].0.clone()).collect()
    }
}
