//! The forms of code in a text, which `additions.rs` counts before and after a change: names, attributes,
//! paths, imports, members, calls of macros. Also those of comments that are tests.

use base::{ProjectPath, SortedMap};
use preserve::outline::{Token, TokenKind, tokens};

use super::inputs::Text;
use super::outside;

/// Names that are refused wherever they are new: macros that read files or the environment while
/// the project is built, and machine code.
const NAMES: &[&str] = &[
    "asm",
    "global_asm",
    "include",
    "include_bytes",
    "include_str",
    "llvm_asm",
    "naked_asm",
    "option_env",
];
/// Keywords that are refused where they are new.
const KEYWORDS: &[&str] = &["extern", "unsafe"];
/// Attributes that may be new; all others are refused, such as `path`, `cfg`, `allow`, `no_mangle`.
const ATTRIBUTES: &[&str] = &[
    "cold",
    "default",
    "deprecated",
    "derive",
    "doc",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "test",
    "track_caller",
    "error",
    "from",
    "source",
    "serde",
    "backtrace",
];

/// A form of code that is counted before and after.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Name(String),
    Attribute(String),
    /// A method or a member that reaches outside, by its name.
    Member(String),
    /// A word among the arguments of a macro that is not the standard library's.
    Argument(String),
    /// A call of such a macro.
    Call(String),
    /// A definition of a macro, or one of its variables.
    Macro,
    /// A path of a text or of an import; of a glob, the path before `*`.
    Path(Vec<String>),
    /// A single word of a text, which an import may bind.
    Word(String),
    /// A statement that reaches outside, or reads while the project is built, or that one of these is
    /// given, with all of its tokens.
    Reach(String),
    /// A constant that other files may give to such a statement, with its tokens.
    Constant(String, String),
}

impl Form {
    /// The rank by which its fault is reported first.
    pub(super) fn order(&self) -> u8 {
        match self {
            Self::Name(_) => 0,
            Self::Attribute(_) => 1,
            Self::Macro => 2,
            Self::Path(_) => 3,
            Self::Member(_) | Self::Argument(_) => 4,
            Self::Word(_) => 5,
            Self::Call(_) => 6,
            Self::Reach(_) | Self::Constant(..) => 7,
        }
    }
}

/// How often a form occurs, and a file where it does.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) count: usize,
    pub(super) file: ProjectPath,
}

/// Forms with their numbers.
pub(super) type Counts = SortedMap<Form, Found>;

/// Counts the forms of a text.
pub(super) fn count(file: &ProjectPath, text: &str, counts: &mut Counts) {
    let mut add = |form: Form| {
        let found = counts.entry(form).or_insert_with(|| Found { count: 0, file: file.clone() });
        found.count += 1;
        found.file = file.clone();
    };
    let list = tokens(text);
    let (arguments, imported) = (macro_arguments(&list), in_imports(&list));
    let is = |of: &[bool], at: usize| of.get(at) == Some(&true);
    for (at, token) in list.iter().enumerate() {
        if let Some(form) = form(&list, at, token) {
            add(form);
        }
        let defines =
            token.is("macro") && list.get(at + 1).is_some_and(|it| it.kind == TokenKind::Word);
        if token.is("$") || token.is("macro_rules") || defines {
            add(Form::Macro);
        }
        if token.kind == TokenKind::Literal {
            // A path in an attribute may be a text: `#[serde(with = "std::fs")]`.
            loose_paths(token.text)
                .into_iter()
                .filter(|_| in_attribute(&list, at))
                .for_each(&mut add);
        }
        if token.kind == TokenKind::Word {
            let forms = word_forms(&list, at, is(&arguments, at));
            // The tree of an import is taken apart below.
            let is_path = |it: &Form| matches!(it, Form::Path(_) | Form::Word(_));
            forms.into_iter().filter(|it| !(is(&imported, at) && is_path(it))).for_each(&mut add);
        }
    }
    reaching(&list).into_iter().for_each(&mut add);
    imports(text).into_iter().for_each(&mut add);
    for line in text.lines().filter(|line| is_doc(line)) {
        // Examples in comments are tests; a quote in a comment begins no text.
        loose_paths(line).into_iter().for_each(&mut add);
    }
}

/// The statements that reach outside, and those that give them what they are given: that decides what
/// they reach. Also the constants that other files may give to theirs.
fn reaching(list: &[Token<'_>]) -> Vec<Form> {
    let text = Text::new(list);
    let word = |at: usize| list.get(at).map_or("", |it| it.text);
    let reaches = |at: usize| {
        let name = word(at).trim_start_matches("r#");
        let before = at.checked_sub(1).map_or("", word);
        let next = word(at + 1);
        let is_path = next == "::" && (outside::is_module(name) || outside::is_type(name));
        let is_member = matches!(before, "." | "::") && outside::is_method(name);
        let is_macro = next == "!" && (NAMES.contains(&name) || name == "env");
        let is_word = list.get(at).is_some_and(|it| it.kind == TokenKind::Word);
        is_word && (is_path || is_member || is_macro)
    };
    let statements = text.reaching(reaches).into_iter().map(|it| Form::Reach(text.words(&it)));
    let constants = text.shared_constants().into_iter();
    let constants = constants.map(|(name, it)| Form::Constant(name.to_owned(), text.words(&it)));
    statements.chain(constants).collect()
}

/// The forms that begin at a word.
fn word_forms(list: &[Token<'_>], at: usize, is_argument: bool) -> Vec<Form> {
    let mut forms = Vec::new();
    let Some(token) = list.get(at) else { return forms };
    let word = token.text.trim_start_matches("r#");
    let previous = at.checked_sub(1).and_then(|it| list.get(it)).map_or("", |it| it.text);
    let next = list.get(at + 1).map_or("", |it| it.text);
    let is_member = matches!(previous, "." | "::");
    if is_member && outside::is_method(word) {
        forms.push(Form::Member(word.to_owned()));
    }
    let reaches = outside::is_module(word) || outside::is_method(word);
    if is_argument && reaches {
        forms.push(Form::Argument(word.to_owned()));
    }
    if next == "!" && list.get(at + 2).is_some_and(|it| matches!(it.text, "(" | "[" | "{")) {
        forms.push(Form::Call(word.to_owned()));
    }
    if previous == "::" && has_word_before(list, at) || previous == "." {
        return forms;
    }
    forms.push(match next {
        "::" if precedes_path(token.text) => return forms,
        "::" => path_from(list, at),
        _ => Form::Word(word.to_owned()),
    });
    forms
}

/// For each token, whether it is part of a `use` declaration.
fn in_imports(list: &[Token<'_>]) -> Vec<bool> {
    let mut inside = Vec::with_capacity(list.len());
    // The depth of the braces of the declaration.
    let mut open: Option<usize> = None;
    for (at, token) in list.iter().enumerate() {
        let is_bound = list.get(at + 1).is_some_and(|it| it.is("<"));
        open = match (open, token.text) {
            (None, "use") if !is_bound => Some(0),
            (Some(depth), "{") => Some(depth + 1),
            (Some(depth), "}") => depth.checked_sub(1),
            (Some(_), ";" | "(" | ")" | "[" | "]" | "!" | "=" | "." | "#") => None,
            (state, _) => state,
        };
        inside.push(open.is_some());
    }
    inside
}

/// Whether the `::` before a token follows a word.
fn has_word_before(list: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|it| list.get(it));
    before.is_some_and(|it| it.is(">") || it.kind == TokenKind::Word && !precedes_path(it.text))
}

/// Whether a word is a keyword that is followed by a path and is no part of one.
fn precedes_path(word: &str) -> bool {
    const BEFORE: &[&str] = &[
        "as", "async", "await", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let",
        "match", "move", "mut", "pub", "ref", "return", "static", "unsafe", "use", "where",
        "while", "yield",
    ];
    BEFORE.contains(&word)
}

/// The path that begins at a token.
fn path_from(list: &[Token<'_>], at: usize) -> Form {
    let mut path = Vec::new();
    let mut at = at;
    while let Some(token) = list.get(at).filter(|it| it.kind == TokenKind::Word) {
        path.push(token.text.trim_start_matches("r#").to_owned());
        if !list.get(at + 1).is_some_and(|it| it.is("::")) {
            break;
        }
        at += 2;
    }
    Form::Path(path)
}

/// The paths of the imports of a text, their trees taken apart.
fn imports(text: &str) -> Vec<Form> {
    let facts = syntax::read(text);
    let word = |name: &syntax::facts::Name| {
        let text = facts.names.get(name.idx()).map_or("", |it| &**it);
        text.trim_start_matches("r#").to_owned()
    };
    facts.uses.iter().map(|it| Form::Path(it.path.iter().map(word).collect())).collect()
}

/// For each token, whether it is an argument of a macro that is not the standard library's.
fn macro_arguments(list: &[Token<'_>]) -> Vec<bool> {
    let mut inside = Vec::with_capacity(list.len());
    // For each open bracket, whether it and those around it are such arguments.
    let mut open: Vec<bool> = Vec::new();
    for (at, token) in list.iter().enumerate() {
        let within = open.last().copied().unwrap_or(false);
        inside.push(within);
        match token.text {
            "(" | "[" | "{" if token.kind == TokenKind::Punctuation => {
                let is_call = at >= 2
                    && list[at - 1].is("!")
                    && list[at - 2].kind == TokenKind::Word
                    && !outside::is_value_macro(list[at - 2].text);
                open.push(within || is_call);
            }
            ")" | "]" | "}" if token.kind == TokenKind::Punctuation => {
                open.pop();
            }
            _ => {}
        }
    }
    inside
}

/// Whether a token is inside of the brackets of an attribute.
fn in_attribute(list: &[Token<'_>], at: usize) -> bool {
    let mut depth = 0usize;
    for (idx, token) in list.iter().enumerate().take(at).rev() {
        match token.text {
            "]" | ")" => depth += 1,
            "(" => depth = depth.saturating_sub(1),
            "[" if depth == 0 => {
                let before = |by: usize| idx.checked_sub(by).and_then(|it| list.get(it));
                return before(1).is_some_and(|it| it.is("#") || it.is("!"));
            }
            "[" => depth -= 1,
            ";" | "{" | "}" => return false,
            _ => {}
        }
    }
    false
}

fn is_doc(line: &str) -> bool {
    let line = line.trim_start();
    ["///", "//!", "/**", "/*!", "*"].iter().any(|it| line.starts_with(it))
}

/// The paths of a text that may be code or not, quotes ignored: words that `::` joins, and names that are
/// refused anywhere.
fn loose_paths(text: &str) -> Vec<Form> {
    let mut forms = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if len == 0 {
            rest = match rest.strip_prefix("::") {
                Some(rest) => rest,
                None => {
                    forms.extend(loose(&mut path));
                    &rest[c.len_utf8()..]
                }
            };
            continue;
        }
        let (word, after) = rest.split_at(len);
        if NAMES.contains(&word) && after.starts_with('!') {
            forms.push(Form::Name(word.to_owned()));
        }
        path.push(word.to_owned());
        rest = after;
        if !rest.starts_with("::") {
            forms.extend(loose(&mut path));
        }
    }
    forms.extend(loose(&mut path));
    forms
}

/// The path of a loose text, where it has several segments and the first is that of code.
fn loose(path: &mut Vec<String>) -> Option<Form> {
    let path = std::mem::take(path);
    let is_root = |it: &String| outside::ROOTS.contains(&it.as_str()) || it == "crate";
    let reaches = path.iter().any(|it| outside::is_module(it) || outside::is_type(it));
    (path.len() > 1 && (path.first().is_some_and(is_root) || reaches)).then_some(Form::Path(path))
}

fn form(list: &[Token<'_>], at: usize, token: &Token<'_>) -> Option<Form> {
    let next = |by: usize| list.get(at + by).map_or("", |it| it.text);
    if token.is("#") {
        let open = if next(1) == "!" { 2 } else { 1 };
        if next(open) != "[" {
            return None;
        }
        let name = next(open + 1).trim_start_matches("r#");
        // New tests are welcome; on existing code the preservation rule refuses it.
        let is_of_tests = name == "cfg"
            && ["(", "test", ")"].iter().zip(open + 2..).all(|(it, by)| next(by) == *it);
        // An inner attribute changes a whole module or crate.
        let is_open = open == 1 && (is_of_tests || ATTRIBUTES.contains(&name));
        return (!is_open).then(|| Form::Attribute(name.to_owned()));
    }
    if token.kind != TokenKind::Word {
        return None;
    }
    let word = token.text.trim_start_matches("r#");
    let is_env_macro = word == "env" && next(1) == "!";
    let is_refused = NAMES.contains(&word) || KEYWORDS.contains(&token.text) || is_env_macro;
    is_refused.then(|| Form::Name(word.to_owned()))
}
