//! [`Schema`]: one text with many mutations, chosen while it runs by a number in the environment. Each
//! mutation is one arm of a `match` that its function has instead of its body, so that any change
//! within a body can be an arm, and an error of the compiler belongs to one.
//!
//! Such a text is only ever tried, never proven or shown.

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use edit::Splice;

use super::Mutation;

/// The `match` up to its arms: the number is read once for each function.
const HEAD: &str = "{ match { extern crate std as graftage_std; static GRAFTAGE_ON: \
                    graftage_std::sync::OnceLock<usize> = graftage_std::sync::OnceLock::new(); \
                    *GRAFTAGE_ON.get_or_init(|| match graftage_std::env::var(\"VARIABLE\") { \
                    graftage_std::result::Result::Ok(it) => match it.parse::<usize>() { \
                    graftage_std::result::Result::Ok(it) => it, _ => 0 }, _ => 0 }) } {";

/// One file with its mutations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The file.
    pub path: ProjectPath,
    /// Its text.
    pub text: String,
    /// The arms, in the order of the text.
    pub arms: Vec<MutationArm>,
    /// The rewritten functions.
    pub functions: Vec<ByteSpan>,
}

/// One mutation in the text of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutationArm {
    /// Its number.
    pub candidate: usize,
    /// Its place.
    pub span: ByteSpan,
}

impl Schema {
    /// Whether a mutation can be an arm: it is in a function that runs only while the tests run.
    pub fn takes(text: &str, mutation: &Mutation) -> bool {
        let Some(body) = mutation.body else { return false };
        let head = text.get(..body.start).unwrap_or_default();
        let from = head.rfind("fn ").unwrap_or(0);
        let before = head.get(..from).unwrap_or_default();
        let before = before.get(before.rfind(['}', ';', '{', ']']).unwrap_or(0)..);
        let is_const = before.is_some_and(|it| base::has_word(it, "const"));
        let result = head.get(from..).and_then(|it| it.rsplit_once("->")).map(|(_, it)| it);
        let is_opaque = result.is_some_and(|it| base::has_word(it, "impl"));
        let inner = text.get(body.start..body.end).unwrap_or_default();
        !is_const && !is_opaque && !inner.contains("#!")
    }

    /// The text with these mutations of it, which all can be arms; `variable` chooses one.
    pub fn of(
        path: &ProjectPath,
        text: &str,
        mutations: &[(usize, &Mutation)],
        variable: &str,
    ) -> Self {
        let mut by_body: SortedMap<(usize, usize), Vec<(usize, &Mutation)>> = SortedMap::new();
        for (candidate, mutation) in mutations {
            if let Some(body) = mutation.body {
                by_body.entry((body.start, body.end)).or_default().push((*candidate, mutation));
            }
        }
        let head = HEAD.replace("VARIABLE", variable);
        let mut writer =
            Writer { text, head, by_body: &by_body, out: String::new(), arms: Vec::new() };
        writer.write(ByteSpan::new(0, text.len()));
        let Writer { out, arms, .. } = writer;
        let functions = by_body.keys().map(|(start, end)| ByteSpan::new(*start, *end)).collect();
        Self { path: path.clone(), text: out, arms, functions }
    }

    /// The candidates whose arms contain one of these places.
    pub fn at(&self, places: &[ByteSpan]) -> SortedSet<usize> {
        let hit = |arm: &&MutationArm| places.iter().any(|it| arm.span.contains(*it));
        self.arms.iter().filter(hit).map(|it| it.candidate).collect()
    }
}

type Bodies<'m> = SortedMap<(usize, usize), Vec<(usize, &'m Mutation)>>;

struct Writer<'t, 'm> {
    text: &'t str,
    head: String,
    by_body: &'t Bodies<'m>,
    out: String,
    arms: Vec<MutationArm>,
}

impl Writer<'_, '_> {
    /// Writes a part of the text, with the functions in it rewritten.
    fn write(&mut self, part: ByteSpan) {
        let mut at = part.start;
        let bodies = self.by_body;
        for ((start, end), mutations) in bodies.range((part.start, 0)..) {
            if *start < at || *end > part.end || (*start, *end) == (part.start, part.end) {
                continue;
            }
            self.copy(at, *start);
            self.function(ByteSpan::new(*start, *end), mutations);
            at = *end;
        }
        self.copy(at, part.end);
    }

    fn copy(&mut self, start: usize, end: usize) {
        self.out.push_str(self.text.get(start..end).unwrap_or_default());
    }

    fn function(&mut self, body: ByteSpan, mutations: &[(usize, &Mutation)]) {
        self.out.push_str(&self.head);
        for (candidate, mutation) in mutations {
            let start = self.out.len();
            self.out.push_str(&format!("\n{candidate}usize => "));
            self.mutated(body, &mutation.splices);
            let span = ByteSpan::new(start, self.out.len());
            self.arms.push(MutationArm { candidate: *candidate, span });
        }
        self.out.push_str("\n_ => ");
        self.write(body);
        self.out.push_str("\n}}");
    }

    fn mutated(&mut self, body: ByteSpan, splices: &[Splice]) {
        let mut at = body.start;
        for splice in splices {
            self.copy(at, splice.span.start);
            self.out.push_str(&splice.insert);
            at = splice.span.end;
        }
        self.copy(at, body.end);
    }
}
