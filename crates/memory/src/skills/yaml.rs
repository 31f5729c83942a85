//! The YAML of a skill's head, in the strict form that the reference validator reads: no flow style, no
//! tags, no anchors, no duplicate keys; every scalar is text.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

use super::fault::{ValueFault, YamlFault};

/// Maximum depth of nested values.
const DEEPEST: usize = 64;
/// The key of a merge.
const MERGE: &str = "<<";

/// A value of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    /// A scalar.
    Text(String),
    /// A sequence.
    List(Vec<Yaml>),
    /// A mapping, in its order.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }
}

/// Parses one document; an empty one is an empty text.
pub(super) fn parse(text: &str) -> Result<Yaml, YamlFault> {
    if let Some(at) = text.chars().position(|c| !is_printable(c)) {
        return Err(YamlFault::Character(at));
    }
    // The parser refuses a byte order mark inside a text; Unicode recommends this character for it.
    let text = text.replace('\u{feff}', "\u{2060}");
    let chars = text.chars().collect();
    let (parser, opaque) = (Parser::new_from_str(&text), Vec::new());
    let mut reader = YamlReader { text: chars, parser, opaque };
    let mut document = None;
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => break,
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
            (Event::Nothing, _) => {}
            _ if document.is_some() => return Err(YamlFault::SecondDocument),
            (event, span) => document = Some(reader.value(event, span, 0)?.0),
        }
    }
    reader.refuse_tabs()?;
    Ok(document.unwrap_or_else(|| Yaml::Text(String::new())))
}

struct YamlReader<'a> {
    text: Vec<char>,
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// Ranges of quoted and block scalars, in characters.
    opaque: Vec<std::ops::Range<usize>>,
}

impl<'a> YamlReader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), YamlFault> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(err)) => Err(err.into()),
            None => Err(YamlFault::EndsEarly),
        }
    }

    /// Reads a value; also the column of its start.
    fn value(
        &mut self,
        event: Event<'a>,
        span: Span,
        depth: usize,
    ) -> Result<(Yaml, usize), YamlFault> {
        let at = |what| YamlFault::Value { line: span.start.line(), what };
        if depth > DEEPEST {
            return Err(at(ValueFault::TooDeep));
        }
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                (*anchor, tag.is_some())
            }
            Event::Alias(_) => (1, false),
            _ => (0, false),
        };
        if anchor > 0 || tag {
            return Err(at(ValueFault::Anchor));
        }
        let value = match event {
            // The key of a merge, which is no text.
            Event::Scalar(text, ScalarStyle::Plain, ..) if text == MERGE => Yaml::Map(Vec::new()),
            Event::Scalar(text, style, _, _) => {
                if style != ScalarStyle::Plain {
                    self.opaque.push(span.start.index()..span.end.index());
                }
                Yaml::Text(text.into_owned())
            }
            Event::SequenceStart(..) => {
                self.refuse_flow(span.start)?;
                self.list(depth)?
            }
            Event::MappingStart(..) => {
                self.refuse_flow(span.start)?;
                self.map(depth)?
            }
            _ => return Err(at(ValueFault::Missing)),
        };
        Ok((value, span.start.col()))
    }

    fn list(&mut self, depth: usize) -> Result<Yaml, YamlFault> {
        let mut values = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Yaml::List(values)),
                (event, span) => values.push(self.value(event, span, depth + 1)?.0),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Yaml, YamlFault> {
        let mut values: Vec<(String, Yaml)> = Vec::new();
        let mut indentation = None;
        loop {
            let (event, span) = self.next()?;
            let line = span.start.line();
            let at = |what| YamlFault::Value { line, what };
            if event == Event::MappingEnd {
                return Ok(Yaml::Map(values));
            }
            let is_merge =
                matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text == MERGE);
            let key = match self.value(event, span, depth + 1)?.0 {
                Yaml::Text(key) => key,
                Yaml::Map(_) if is_merge => MERGE.to_owned(),
                _ => return Err(at(ValueFault::KeyNoText)),
            };
            if values.iter().any(|(it, _)| *it == key) {
                return Err(at(ValueFault::DuplicateKey(key)));
            }
            let (event, span) = self.next()?;
            let (value, column) = self.value(event, span, depth + 1)?;
            if matches!(value, Yaml::Map(_)) && *indentation.get_or_insert(column) != column {
                return Err(at(ValueFault::Indentation));
            }
            match value {
                // Merged values are defaults, which no field of a head has.
                Yaml::Map(_) if is_merge => {}
                _ if is_merge => return Err(at(ValueFault::Merge)),
                value => values.push((key, value)),
            }
        }
    }

    /// Refuses tabs that are neither in a quoted or block scalar nor in a comment.
    fn refuse_tabs(&self) -> Result<(), YamlFault> {
        let is_opaque = |at: usize| self.opaque.iter().any(|range| range.contains(&at));
        let mut is_comment = false;
        for (at, c) in self.text.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| self.text.get(at));
            match c {
                '\n' => is_comment = false,
                '#' if before.is_none_or(|c| c.is_whitespace()) && !is_opaque(at) => {
                    is_comment = true;
                }
                '\t' if !is_comment && !is_opaque(at) => {
                    return Err(YamlFault::Tab(at));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn refuse_flow(&self, start: Marker) -> Result<(), YamlFault> {
        match self.text.get(start.index()) {
            Some('{' | '[') => Err(YamlFault::Value { line: start.line(), what: ValueFault::Flow }),
            _ => Ok(()),
        }
    }
}

/// Whether YAML allows a character.
fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\x20'..='\x7e' | '\u{85}' | '\u{a0}'..='\u{d7ff}'
        | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
