//! Decodes the protobuf of a SCIP index into [`Facts`].

use base::{ProjectPath, SortedMap};
use protobuf::CodedInputStream;
use scip::types::{Document, Metadata, Occurrence, PositionEncoding, SymbolRole};

use crate::scip::{
    Facts, Pos, Reference, ScipDamage, ScipDefinition, ScipRange, ScipSymbol, SymbolKind,
    parse_symbol,
};

/// Most messages about invalid parts.
const MAX_PROBLEMS: usize = 100;
/// The text of the one symbol for all locals: their numbers are only unique within a file.
const LOCAL: &str = "local";
/// Protobuf tags of the fields in use: field number and wire type 2 (length-delimited).
const METADATA: u32 = 1 << 3 | 2;
const DOCUMENT: u32 = 2 << 3 | 2;

/// Decodes an index document by document, so that only one is in memory besides the facts.
///
/// It never fails: at invalid bytes decoding stops and [`Facts::damage`] is set.
pub fn read(bytes: &[u8]) -> Facts {
    let mut decoder = FactsDecoder::default();
    let mut stream = CodedInputStream::from_bytes(bytes);
    loop {
        let offset = stream.pos();
        match decoder.field(&mut stream) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                decoder.facts.damage = Some(ScipDamage { offset, reason: error.to_string() });
                break;
            }
        }
    }
    decoder.facts
}

#[derive(Default)]
struct FactsDecoder {
    facts: Facts,
    known: SortedMap<Box<str>, u32>,
}

impl FactsDecoder {
    /// Decodes the next field of the index; false at its end.
    fn field(&mut self, stream: &mut CodedInputStream<'_>) -> protobuf::Result<bool> {
        let Some(tag) = stream.read_raw_tag_or_eof()? else { return Ok(false) };
        match tag {
            METADATA => {
                let metadata: Metadata = stream.read_message()?;
                if let Some(tool) = metadata.tool_info.as_ref() {
                    self.facts.tool = format!("{} {}", tool.name, tool.version);
                }
            }
            DOCUMENT => self.document(&stream.read_message()?),
            _ => protobuf::rt::skip_field_for_tag(tag, stream)?,
        }
        Ok(true)
    }

    fn document(&mut self, document: &Document) {
        let path = match ProjectPath::new(&document.relative_path) {
            Ok(path) => path,
            Err(error) => return self.problem(format!("skipped a document: {error}")),
        };
        let utf8 = PositionEncoding::UTF8CodeUnitOffsetFromLineStart;
        if document.position_encoding.enum_value() != Ok(utf8) {
            return self.problem(format!("skipped `{path}`: its columns are not UTF-8 bytes"));
        }
        let file = self.facts.files.len() as u32;
        for occurrence in &document.occurrences {
            self.occurrence(file, &path, occurrence);
        }
        for symbol in &document.symbols {
            let known = self.known.get(symbol.symbol.as_str()).copied();
            let known = known.and_then(|idx| self.facts.symbols.get_mut(idx as usize));
            if let Some(known) = known.filter(|it| it.kind != SymbolKind::Local)
                && let Some(signature) = symbol.signature_documentation.as_ref()
            {
                known.signature = signature.text.as_str().into();
            }
        }
        self.facts.files.push(path);
    }

    fn occurrence(&mut self, file: u32, path: &ProjectPath, occurrence: &Occurrence) {
        if occurrence.symbol.is_empty() {
            return;
        }
        let Some(range) = range(occurrence) else {
            return self.problem(format!("`{path}`: invalid range of `{}`", occurrence.symbol));
        };
        let is_local = occurrence.symbol.starts_with("local ");
        let is_definition = occurrence.symbol_roles & SymbolRole::Definition as i32 != 0;
        if is_local && is_definition {
            return;
        }
        let symbol = self.symbol(if is_local { LOCAL } else { &occurrence.symbol });
        if !is_definition {
            self.facts.references.push(Reference { symbol, file, range });
        } else {
            let enclosing = enclosing(occurrence);
            self.facts.definitions.push(ScipDefinition { symbol, file, range, enclosing });
        }
    }

    fn symbol(&mut self, text: &str) -> u32 {
        if let Some(idx) = self.known.get(text) {
            return *idx;
        }
        let idx = self.facts.symbols.len() as u32;
        let symbol = match parse_symbol(text) {
            Some(parsed) => ScipSymbol {
                text: text.into(),
                package: parsed.package.into(),
                path: parsed.path.into(),
                kind: parsed.kind,
                signature: "".into(),
            },
            None => ScipSymbol {
                text: text.into(),
                package: "".into(),
                path: "".into(),
                kind: if text == LOCAL { SymbolKind::Local } else { SymbolKind::Other },
                signature: "".into(),
            },
        };
        self.known.insert(text.into(), idx);
        self.facts.symbols.push(symbol);
        idx
    }

    fn problem(&mut self, problem: String) {
        if self.facts.problems.len() < MAX_PROBLEMS {
            self.facts.problems.push(problem);
        }
    }
}

fn range(occurrence: &Occurrence) -> Option<ScipRange> {
    use scip::types::occurrence::Typed_range;
    match &occurrence.typed_range {
        Some(Typed_range::SingleLineRange(it)) => {
            numbers(&[it.line, it.start_character, it.end_character])
        }
        Some(Typed_range::MultiLineRange(it)) => {
            numbers(&[it.start_line, it.start_character, it.end_line, it.end_character])
        }
        _ => numbers(&occurrence.range),
    }
}

fn enclosing(occurrence: &Occurrence) -> Option<ScipRange> {
    use scip::types::occurrence::Typed_enclosing_range;
    match &occurrence.typed_enclosing_range {
        Some(Typed_enclosing_range::SingleLineEnclosingRange(it)) => {
            numbers(&[it.line, it.start_character, it.end_character])
        }
        Some(Typed_enclosing_range::MultiLineEnclosingRange(it)) => {
            numbers(&[it.start_line, it.start_character, it.end_line, it.end_character])
        }
        _ => numbers(&occurrence.enclosing_range),
    }
}

/// Converts `[line, from, to]` or `[line, from, line, to]`, lines from 0.
fn numbers(range: &[i32]) -> Option<ScipRange> {
    let (start_line, start, end_line, end) = match *range {
        [line, start, end] => (line, start, line, end),
        [start_line, start, end_line, end] => (start_line, start, end_line, end),
        _ => return None,
    };
    let pos = |line: i32, col: i32| {
        let line = u32::try_from(line).ok()?.checked_add(1)?;
        Some(Pos { line, col: u32::try_from(col).ok()? })
    };
    let range = ScipRange { start: pos(start_line, start)?, end: pos(end_line, end)? };
    (range.start <= range.end).then_some(range)
}
