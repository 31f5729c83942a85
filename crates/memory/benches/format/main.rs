//! Fuzzes the parser of Gemma's form for as many CPU seconds as its argument (1 without one): random
//! calls, responses and declarations with random changes. Nothing may panic, and what is parsed and can
//! be printed is parsed as the same again.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints its figures")]

#[path = "../../tests/it/chance.rs"]
mod chance;

use chance::Chance;
use graftage_memory::{FunctionCall, FunctionResponse, Gemma, ToolSchema};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

const PIECES: [&str; 24] = [
    "<escape>",
    "<|\"|>",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "<start_function_call>",
    "<end_function_call>",
    "call:",
    "<start_function_response>",
    "<end_of_turn>",
    "null",
    "true",
    "-",
    "1e",
    "9",
    ".",
    "é",
    "properties:{",
    "type:<escape>ARRAY<escape>",
    "<",
    "\u{feff}",
];

fn main() {
    let seconds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1);
    let mut chance = Chance::new(seconds);
    let (mut tried, mut parsed) = (0u64, 0u64);
    while cpu() < seconds {
        for _ in 0..1000 {
            let gemma = if chance.below(2) == 0 { Gemma::Function } else { Gemma::Four };
            let text = begin(&mut chance, gemma);
            let text = changed(&mut chance, &text);
            tried += 1;
            parsed += u64::from(check(gemma, &text));
        }
    }
    println!("{tried} texts, {parsed} of them well-formed, in {} CPU s", cpu());
}

/// A text that is printed, or random pieces.
fn begin(chance: &mut Chance, gemma: Gemma) -> String {
    let printed = match chance.below(4) {
        0 => gemma.call(&FunctionCall { name: chance.name(), arguments: chance.fields(0) }),
        1 => {
            let (name, response) = (chance.name(), Value::Object(chance.fields(0)));
            gemma.response(&FunctionResponse { name, response })
        }
        2 => {
            let (name, description) = (chance.name(), chance.name());
            let input_schema = chance.tool_schema();
            gemma.declaration(&ToolSchema { name, description, input_schema })
        }
        _ => Ok((0..chance.below(40)).map(|_| chance.pick(&PIECES)).collect()),
    };
    printed.unwrap_or_default()
}

/// The text with up to four changes: a piece removed, repeated, replaced or put in.
fn changed(chance: &mut Chance, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..chance.below(5) {
        let mut place = || text.floor_char_boundary(chance.below(text.len() + 1));
        let (one, other) = (place(), place());
        let (from, to) =
            (one.min(other), one.max(other).min(text.ceil_char_boundary(one.min(other) + 12)));
        match chance.below(4) {
            0 => drop(text.drain(from..to)),
            1 => {
                let piece = text[from..to].to_owned();
                text.insert_str(to, &piece);
            }
            2 => text.replace_range(from..to, chance.pick(&PIECES)),
            _ => text.insert_str(from, chance.pick(&PIECES)),
        }
    }
    text
}

/// Whether one of the parsers accepts the text; what is accepted is printed and parsed again.
fn check(gemma: Gemma, text: &str) -> bool {
    let _ = gemma.parse_output(text);
    if let Ok(call) = gemma.parse_call(text) {
        if let Ok(text) = gemma.call(&call) {
            assert_eq!(gemma.parse_call(&text), Ok(call));
        }
        return true;
    }
    if let Ok(response) = gemma.parse_response(text) {
        if let Ok(text) = gemma.response(&response) {
            assert_eq!(gemma.parse_response(&text), Ok(response));
        }
        return true;
    }
    if let Ok(tool) = gemma.parse_declaration(text) {
        if let Ok(text) = gemma.declaration(&tool) {
            let again = gemma.parse_declaration(&text).unwrap();
            assert_eq!(gemma.declaration(&again).unwrap(), text);
        }
        return true;
    }
    false
}

fn cpu() -> u64 {
    clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64
}
