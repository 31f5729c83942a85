use std::collections::BTreeMap;

use base::ProjectPath;
use protobuf::CodedInputStream;
use scip::types::{Document, Metadata, Occurrence, PositionEncoding, SymbolRole};

use crate::scip::{
    Damage, Definition, Facts, Pos, Range, Reference, Symbol, SymbolKind, parse_symbol,
};

/// How many problems are put into words.
const PROBLEMS: usize = 100;
/// What all locals are called: their numbers mean nothing outside of one file.
const LOCAL: &str = "local";
/// Fields of an index that are looked at: number, with the wire's mark for what has a length.
const METADATA: u32 = 1 << 3 | 2;
const DOCUMENT: u32 = 2 << 3 | 2;

/// Reads an index, document by document, so that no more than one is held besides the facts.
///
/// It never fails: where the bytes make no sense any more, reading ends and
/// [`Facts::damage`] says where.
pub fn read(bytes: &[u8]) -> Facts {
    let mut reader = Reader::default();
    let mut stream = CodedInputStream::from_bytes(bytes);
    loop {
        let offset = stream.pos();
        match reader.part(&mut stream) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                reader.facts.damage = Some(Damage { offset, reason: error.to_string() });
                break;
            }
        }
    }
    reader.facts
}

#[derive(Default)]
struct Reader {
    facts: Facts,
    known: BTreeMap<Box<str>, u32>,
}

impl Reader {
    /// The next part of the index; false at its end.
    fn part(&mut self, stream: &mut CodedInputStream<'_>) -> protobuf::Result<bool> {
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
            Err(error) => return self.problem(format!("a document was left out: {error}")),
        };
        let utf8 = PositionEncoding::UTF8CodeUnitOffsetFromLineStart;
        if document.position_encoding.enum_value() != Ok(utf8) {
            return self.problem(format!("`{path}` was left out: its columns are no UTF-8 bytes"));
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
        let Some(place) = range(occurrence) else {
            return self
                .problem(format!("`{path}`: a range of `{}` makes no sense", occurrence.symbol));
        };
        let is_local = occurrence.symbol.starts_with("local ");
        let is_definition = occurrence.symbol_roles & SymbolRole::Definition as i32 != 0;
        if is_local && is_definition {
            return;
        }
        let symbol = self.symbol(if is_local { LOCAL } else { &occurrence.symbol });
        if !is_definition {
            self.facts.references.push(Reference { symbol, file, range: place });
        } else {
            let enclosing = enclosing(occurrence);
            self.facts.definitions.push(Definition { symbol, file, range: place, enclosing });
        }
    }

    fn symbol(&mut self, text: &str) -> u32 {
        if let Some(idx) = self.known.get(text) {
            return *idx;
        }
        let idx = self.facts.symbols.len() as u32;
        let symbol = match parse_symbol(text) {
            Some(parsed) => Symbol {
                text: text.into(),
                package: parsed.package.into(),
                path: parsed.path.into(),
                kind: parsed.kind,
                signature: "".into(),
            },
            None => Symbol {
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
        if self.facts.problems.len() < PROBLEMS {
            self.facts.problems.push(problem);
        }
    }
}

fn range(occurrence: &Occurrence) -> Option<Range> {
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

fn enclosing(occurrence: &Occurrence) -> Option<Range> {
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

/// `[line, from, to]` or `[line, from, line, to]`, lines from 0.
fn numbers(range: &[i32]) -> Option<Range> {
    let (start_line, start, end_line, end) = match *range {
        [line, start, end] => (line, start, line, end),
        [start_line, start, end_line, end] => (start_line, start, end_line, end),
        _ => return None,
    };
    let pos = |line: i32, col: i32| {
        let line = u32::try_from(line).ok()?.checked_add(1)?;
        Some(Pos { line, col: u32::try_from(col).ok()? })
    };
    let range = Range { start: pos(start_line, start)?, end: pos(end_line, end)? };
    (range.start <= range.end).then_some(range)
}
