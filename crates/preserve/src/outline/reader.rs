//! Reads tokens into elements and effects with a stack of open brackets. Accepts any text: an
//! unmatched closing bracket is skipped. Start at [`read`].

use super::{
    Attribute, EffectKind, EffectSite, Element, ElementKind, Outline, TokenKind, is_keyword, tokens,
};

/// Reads a text token by token, with a stack of open brackets.
pub(super) fn read(text: &str) -> Outline<'_> {
    let tokens = tokens(text);
    let count = tokens.len();
    let mut reader = OutlineReader {
        outline: Outline {
            tokens,
            elements: Vec::new(),
            effects: Vec::new(),
            attributes: Vec::new(),
            close: (0..count).collect(),
            roles: vec![None; count],
        },
        frames: vec![Frame { kind: FrameKind::Items, open: 0, start: 0, angles: 0 }],
    };
    for at in 0..count {
        reader.token(at);
    }
    while reader.frames.len() > 1 {
        reader.leave(count);
    }
    reader.finish_element(count);
    reader.outline
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    Items,
    Block,
    Fields,
    Variants,
    Literal,
    Arms,
    Arguments,
    Attribute,
    UseTree,
}

struct Frame {
    kind: FrameKind,
    open: usize,
    /// First token of the current element.
    start: usize,
    /// Number of open `<` of generics, whose commas separate no elements.
    angles: usize,
}

struct OutlineReader<'a> {
    outline: Outline<'a>,
    frames: Vec<Frame>,
}

impl<'a> OutlineReader<'a> {
    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn token(&mut self, at: usize) {
        let text = self.outline.text(at);
        match text {
            "(" | "[" | "{" => {
                self.call(at);
                let kind = self.kind_of_group(at);
                self.frames.push(Frame { kind, open: at, start: at + 1, angles: 0 });
                return;
            }
            ")" | "]" | "}" => {
                self.close(at);
                return;
            }
            _ => {}
        }
        let outline = &self.outline;
        let (previous, next) = (outline.before(at, 1), outline.text(at + 1));
        let frame = &self.frames[self.frames.len() - 1];
        let (kind, start) = (frame.kind, frame.start);
        let in_types = matches!(kind, FrameKind::Fields | FrameKind::Variants);
        match text {
            "<" if in_types || previous == "::" => self.frame().angles += 1,
            ">" => {
                let frame = self.frame();
                frame.angles = frame.angles.saturating_sub(1);
            }
            ";" => {
                self.frame().angles = 0;
                if matches!(kind, FrameKind::Items | FrameKind::Block) {
                    self.finish_element(at + 1);
                }
            }
            "," if frame.angles == 0 && !matches!(kind, FrameKind::Items | FrameKind::Block) => {
                self.finish_element(at + 1);
            }
            _ => {}
        }
        if matches!(kind, FrameKind::Attribute | FrameKind::UseTree) {
            return;
        }
        match text {
            "?" if !matches!(previous, ":" | "+" | "<" | "," | "") => {
                self.effect(EffectKind::Try, at, at);
            }
            "await" if previous == "." => self.effect(EffectKind::Await, at, at),
            "if" | "while" | "match" | "loop" | "else" => self.effect(EffectKind::Control, at, at),
            "for" if next != "<" && !self.outline.head_is(start, at, "impl") => {
                self.effect(EffectKind::Control, at, at);
            }
            "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" => {
                self.effect(EffectKind::Assignment, at, at);
            }
            "=" if self.assigns(kind, start, at) => self.effect(EffectKind::Assignment, at, at),
            _ => {}
        }
    }

    fn effect(&mut self, kind: EffectKind, anchor: usize, name: usize) {
        let text = self.outline.text(name);
        self.outline.roles[anchor] = Some(kind);
        self.outline.effects.push(EffectSite { kind, anchor, name, text });
    }

    /// Whether `=` assigns to an existing place.
    fn assigns(&self, kind: FrameKind, start: usize, at: usize) -> bool {
        if matches!(kind, FrameKind::Items | FrameKind::Fields | FrameKind::Variants) {
            return false;
        }
        let outline = &self.outline;
        // `Item = T` in generics and `name = value` among a macro's arguments.
        if matches!(outline.before(at, 2), "<" | ",") || matches!(outline.before(at, 1), "<" | "(")
        {
            return false;
        }
        if kind == FrameKind::Arguments && at.checked_sub(1) == Some(start) {
            return false;
        }
        let head = self.outline.head(start, at);
        let declares = matches!(outline.text(head), "let" | "const" | "static" | "type" | "use");
        let tests_pattern = (head..at).any(|it| outline.text(it) == "let");
        !declares && !tests_pattern
    }

    /// Records the call or macro call with this bracket.
    fn call(&mut self, at: usize) {
        let outline = &self.outline;
        if matches!(
            self.frames[self.frames.len() - 1].kind,
            FrameKind::Attribute | FrameKind::UseTree
        ) {
            return;
        }
        let (previous, before) = (outline.before(at, 1), outline.before(at, 2));
        let is_name = |back: usize| {
            at.checked_sub(back).is_some_and(|it| {
                outline.tokens[it].kind == TokenKind::Word && !is_keyword(outline.tokens[it].text)
            })
        };
        if previous == "!" && is_name(2) {
            self.effect(EffectKind::Macro, at, at - 2);
            if self.outline.text(at) == "(" {
                self.outline.roles[at] = Some(EffectKind::Call);
            }
        } else if outline.text(at) != "(" {
        } else if is_name(1) && before != "fn" && !self.declares_tuple(at - 1) {
            self.effect(EffectKind::Call, at, at - 1);
        } else if previous == ">" {
            if let Some(name) = self.outline.turbofish(at - 1) {
                self.effect(EffectKind::Call, at, name);
            }
        } else if matches!(previous, ")" | "]" | "?") {
            self.outline.roles[at] = Some(EffectKind::Call);
            self.outline.effects.push(EffectSite {
                kind: EffectKind::Call,
                anchor: at,
                name: at,
                text: "",
            });
        }
    }

    /// Whether the name before a parenthesis is declared there: `struct Name(`, a variant.
    fn declares_tuple(&self, name: usize) -> bool {
        let frame = &self.frames[self.frames.len() - 1];
        self.outline.before(name, 1) == "struct"
            || (frame.kind == FrameKind::Variants && self.outline.head(frame.start, name) == name)
    }

    fn kind_of_group(&self, at: usize) -> FrameKind {
        let outline = &self.outline;
        let frame = &self.frames[self.frames.len() - 1];
        let (text, previous) = (outline.text(at), outline.before(at, 1));
        if matches!(frame.kind, FrameKind::Attribute | FrameKind::UseTree) {
            return frame.kind;
        }
        match text {
            "[" if previous == "#" || (previous == "!" && outline.before(at, 2) == "#") => {
                FrameKind::Attribute
            }
            "(" if self.declares_tuple_struct(frame, at) => FrameKind::Fields,
            "(" | "[" => FrameKind::Arguments,
            _ => self.kind_of_braces(frame, at),
        }
    }

    fn declares_tuple_struct(&self, frame: &Frame, at: usize) -> bool {
        match frame.kind {
            FrameKind::Variants => true,
            FrameKind::Items | FrameKind::Block => {
                self.outline.item_keyword(frame.start, at) == Some("struct")
                    && !(frame.start..at).any(|it| self.outline.text(it) == "where")
                    && self.outline.before(at, 1) != "pub"
            }
            _ => false,
        }
    }

    fn kind_of_braces(&self, frame: &Frame, at: usize) -> FrameKind {
        let outline = &self.outline;
        let previous = outline.before(at, 1);
        if previous == "::" {
            return FrameKind::UseTree;
        }
        match frame.kind {
            FrameKind::Items | FrameKind::Block => match self.outline.item_keyword(frame.start, at)
            {
                Some("struct" | "union") => return FrameKind::Fields,
                Some("enum") => return FrameKind::Variants,
                Some("impl" | "trait" | "mod" | "extern") => return FrameKind::Items,
                Some("fn" | "macro_rules") => return FrameKind::Block,
                Some("use") => return FrameKind::UseTree,
                _ => {}
            },
            FrameKind::Variants => return FrameKind::Fields,
            FrameKind::Fields
            | FrameKind::Literal
            | FrameKind::Arms
            | FrameKind::Arguments
            | FrameKind::Attribute
            | FrameKind::UseTree => {}
        }
        // The last control keyword before the brace decides what it opens.
        let mut it = at;
        while it > frame.start {
            it -= 1;
            match outline.text(it) {
                "match" => return FrameKind::Arms,
                "if" | "while" | "for" | "in" | "loop" | "else" | "unsafe" | "async" | "=>"
                | "->" | "!" => return FrameKind::Block,
                "=" | "," | ";" | "return" | "&" | "|" | "||" | "let" | ":" => break,
                _ => {}
            }
        }
        let named = at.checked_sub(1).is_some_and(|it| {
            let token = &outline.tokens[it];
            token.is(">")
                || (token.kind == TokenKind::Word
                    && token.text.starts_with(char::is_uppercase)
                    && !is_keyword(token.text))
        });
        if named || previous == "Self" { FrameKind::Literal } else { FrameKind::Block }
    }

    fn close(&mut self, at: usize) {
        let wanted = match self.outline.text(at) {
            ")" => "(",
            "]" => "[",
            _ => "{",
        };
        // An unmatched closing bracket is skipped; one that closes an outer group closes all
        // inside.
        let Some(depth) = (1..self.frames.len())
            .rev()
            .find(|it| self.outline.text(self.frames[*it].open) == wanted)
        else {
            return;
        };
        // A lone `)` closes no blocks; otherwise one mistake would swallow the rest of the text.
        if wanted != "{"
            && (depth + 1..self.frames.len())
                .any(|it| self.outline.text(self.frames[it].open) == "{")
        {
            return;
        }
        while self.frames.len() > depth {
            self.leave(at);
        }
        self.after_group(at);
    }

    fn leave(&mut self, at: usize) {
        self.finish_element(at);
        let Some(frame) = self.frames.pop() else { return };
        self.outline.close[frame.open] = at.min(self.outline.tokens.len().saturating_sub(1));
        if frame.kind == FrameKind::Attribute && self.outline.text(frame.open) == "[" {
            self.attribute(frame.open, at);
        }
    }

    fn attribute(&mut self, open: usize, close: usize) {
        let is_outermost = self.outline.before(open, 1) == "#"
            || (self.outline.before(open, 1) == "!" && self.outline.before(open, 2) == "#");
        if !is_outermost {
            return;
        }
        let mut name = open + 1;
        if self.outline.text(name) == "unsafe" && self.outline.text(name + 1) == "(" {
            name += 2;
        }
        while self.outline.text(name + 1) == "::" && name + 2 < close {
            name += 2;
        }
        if name < close {
            self.outline.attributes.push(Attribute { name, end: close });
        }
    }

    /// After a closed group: ends the element around it if it is complete.
    fn after_group(&mut self, at: usize) {
        let outline = &self.outline;
        let next = outline.text(at + 1);
        let frame = &self.frames[self.frames.len() - 1];
        let start = frame.start;
        if outline.text(at) == "]" {
            let inner = outline.text(start) == "#" && outline.text(start + 1) == "!";
            if inner && matches!(frame.kind, FrameKind::Items | FrameKind::Block) {
                self.finish_element(at + 1);
            }
            return;
        }
        if outline.text(at) != "}" {
            return;
        }
        let ends = match frame.kind {
            FrameKind::Items | FrameKind::Block => {
                let head = self.outline.head(start, at);
                let block_like = match self.outline.item_keyword(start, at) {
                    Some("use" | "const" | "static" | "type" | "let") => false,
                    Some(_) => true,
                    None => {
                        matches!(
                            outline.text(head),
                            "if" | "match"
                                | "while"
                                | "for"
                                | "loop"
                                | "unsafe"
                                | "{"
                                | "async"
                                | "const"
                        ) || outline.text(head + 1) == "!"
                    }
                };
                // `impl Tr<{ N + 1 }> for S`: a constant in a head is no body.
                block_like && !matches!(next, "else" | "." | "?" | ";" | "," | ">" | ">>")
            }
            FrameKind::Arms => {
                let arrow = (start..at).find(|it| outline.text(*it) == "=>");
                arrow.is_some_and(|it| outline.text(it + 1) == "{" && outline.close[it + 1] == at)
                    && !matches!(next, "," | "." | "?")
            }
            FrameKind::Fields
            | FrameKind::Variants
            | FrameKind::Literal
            | FrameKind::Arguments
            | FrameKind::Attribute
            | FrameKind::UseTree => false,
        };
        if ends {
            self.finish_element(at + 1);
        }
    }

    fn finish_element(&mut self, end: usize) {
        let end = end.min(self.outline.tokens.len());
        let frame = self.frame();
        let (kind, start) = (frame.kind, frame.start);
        frame.start = end.max(start);
        frame.angles = 0;
        if start >= end {
            return;
        }
        let inner_attribute =
            self.outline.text(start) == "#" && self.outline.text(start + 1) == "!";
        let kind = match kind {
            _ if inner_attribute => ElementKind::Other,
            FrameKind::Items | FrameKind::Block => match self.outline.item_keyword(start, end) {
                Some("use") => ElementKind::Import,
                Some(_) => ElementKind::Item,
                None if kind == FrameKind::Items => ElementKind::Item,
                None => ElementKind::Statement,
            },
            FrameKind::Fields | FrameKind::Literal => ElementKind::Field,
            FrameKind::Variants => ElementKind::Variant,
            FrameKind::Arms => ElementKind::Arm,
            FrameKind::Arguments | FrameKind::Attribute | FrameKind::UseTree => return,
        };
        let head = self.outline.head(start, end);
        self.outline.elements.push(Element { kind, start, end, head });
    }
}
