//! The surroundings of each token – bracket, element, function – and which tokens are compiled for
//! tests only. Start at [`Layout`].

use std::ops::Range;

use base::ProjectPath;

use crate::outline::{Attribute, Element, ElementKind, Outline, TokenKind, is_keyword};

/// Attributes that make a function a test, or provide its cases, by the last word of their path.
const TEST_ATTRIBUTES: &[&str] = &[
    "test",
    "bench",
    "case",
    "fixture",
    "proptest",
    "quickcheck",
    "rstest",
    "test_case",
    "test_matrix",
    "test_strategy",
    "theory",
    "values",
    "wasm_bindgen_test",
];

/// Whether an attribute with this name makes a function a test, or provides its cases.
pub(crate) fn is_test_attribute(name: &str) -> bool {
    TEST_ATTRIBUTES.contains(&name) || name.ends_with("_test")
}

/// A function of a text, by token indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    /// First token of its element, attributes included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) name: usize,
    /// Opening brace of the body.
    pub(crate) open: usize,
    pub(crate) close: usize,
    /// Whether one of its attributes makes it a test.
    pub(crate) is_test: bool,
}

/// The surroundings of each token of a text, and which tokens are only compiled for tests.
pub(crate) struct Layout {
    /// For each token, the bracket directly around it.
    pub(crate) parents: Vec<Option<usize>>,
    /// For each token, the innermost element around it.
    pub(crate) owners: Vec<Option<usize>>,
    pub(crate) functions: Vec<Function>,
    /// For each token, the innermost function around it.
    function_of: Vec<Option<usize>>,
    /// Ranges of elements that are only compiled for tests, outermost first.
    tests: Vec<Range<usize>>,
    /// The bodies of `macro_rules!`.
    macros: Vec<Range<usize>>,
}

impl Layout {
    /// The layout of a text; `is_test_file`: all of it is compiled for tests only.
    pub(crate) fn of(is_test_file: bool, outline: &Outline<'_>) -> Self {
        let parents = parents(outline);
        let functions = functions(outline, &parents);
        let tests = tests(is_test_file, outline, &functions);
        let count = outline.tokens.len();
        let function_of = innermost(count, functions.iter().map(|it| it.start..it.end).collect());
        let elements = outline.elements.iter().map(|it| it.start..it.end).collect();
        let owners = innermost(count, elements);
        Self { owners, parents, functions, function_of, tests, macros: macros(outline) }
    }

    /// Whether the token is only compiled for tests.
    pub(crate) fn in_tests(&self, at: usize) -> bool {
        // Ordered by start and end: the last one that begins before the token ends last.
        let next = self.tests.partition_point(|it| it.start <= at);
        next.checked_sub(1).is_some_and(|it| self.tests[it].contains(&at))
    }

    /// Whether the token is in the body of a `macro_rules!`.
    pub(crate) fn in_macro(&self, at: usize) -> bool {
        self.macros.iter().any(|it| it.contains(&at))
    }

    pub(crate) fn has_tests(&self) -> bool {
        !self.tests.is_empty()
    }

    /// The innermost function around the token.
    pub(crate) fn function(&self, at: usize) -> Option<&Function> {
        self.function_of.get(at).copied().flatten().map(|it| &self.functions[it])
    }

    /// The innermost element around the token.
    pub(crate) fn owner<'o>(&self, outline: &'o Outline<'_>, at: usize) -> Option<&'o Element> {
        self.owners.get(at).copied().flatten().map(|it| &outline.elements[it])
    }

    /// The brackets around a token, innermost first.
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = self.parents.get(at).copied().flatten();
        std::iter::from_fn(move || {
            let open = next?;
            next = self.parents.get(open).copied().flatten();
            Some(open)
        })
    }

    /// The token range of the list member around `at`, between two commas of the list in this
    /// bracket.
    pub(crate) fn segment(&self, outline: &Outline<'_>, open: usize, at: usize) -> Range<usize> {
        let direct = |it: usize| self.parents.get(it).copied().flatten() == Some(open);
        let mut start = at;
        while start > open + 1 && !(direct(start - 1) && outline.text(start - 1) == ",") {
            start -= 1;
        }
        let close = outline.close[open];
        let mut end = at;
        while end < close && !(direct(end) && outline.text(end) == ",") {
            end += 1;
        }
        start..end
    }
}

fn macros(outline: &Outline<'_>) -> Vec<Range<usize>> {
    let opens = (0..outline.tokens.len()).filter(|at| {
        outline.close[*at] > *at
            && outline.before(*at, 2) == "!"
            && outline.before(*at, 3) == "macro_rules"
    });
    opens.map(|open| open + 1..outline.close[open]).collect()
}

fn parents(outline: &Outline<'_>) -> Vec<Option<usize>> {
    let mut parents = Vec::with_capacity(outline.tokens.len());
    let mut open: Vec<usize> = Vec::new();
    for at in 0..outline.tokens.len() {
        while open.last().is_some_and(|it| outline.close[*it] < at) {
            open.pop();
        }
        let closes = open.last().is_some_and(|it| {
            outline.close[*it] == at && matches!(outline.text(at), ")" | "]" | "}")
        });
        if closes {
            open.pop();
        }
        parents.push(open.last().copied());
        if outline.close[at] > at {
            open.push(at);
        }
    }
    parents
}

/// For each of `count` tokens the smallest of the ranges around it.
fn innermost(count: usize, ranges: Vec<Range<usize>>) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|it| std::cmp::Reverse(ranges[*it].len()));
    let mut found = vec![None; count];
    for idx in order {
        let end = ranges[idx].end.min(count);
        found[ranges[idx].start.min(end)..end].fill(Some(idx));
    }
    found
}

fn functions(outline: &Outline<'_>, parents: &[Option<usize>]) -> Vec<Function> {
    let mut functions = Vec::new();
    for element in outline.elements.iter().filter(|it| it.kind == ElementKind::Item) {
        let around = parents.get(element.head).copied().flatten();
        let direct = |at: usize| parents.get(at).copied().flatten() == around;
        let range = element.head..element.end;
        let Some(keyword) = range.clone().find(|at| direct(*at) && outline.text(*at) == "fn")
        else {
            continue;
        };
        let Some(open) = range
            .clone()
            .find(|at| direct(*at) && outline.text(*at) == "{" && outline.close[*at] > *at)
        else {
            continue;
        };
        let is_test =
            attributes_of(outline, element).any(|it| is_test_attribute(outline.text(it.name)));
        functions.push(Function {
            start: element.start,
            end: element.end,
            name: keyword + 1,
            open,
            close: outline.close[open],
            is_test,
        });
    }
    functions.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    functions
}

/// The attributes before an element.
pub(crate) fn attributes_of<'o>(
    outline: &'o Outline<'_>,
    element: &Element,
) -> impl Iterator<Item = &'o Attribute> {
    let range = element.start..element.head;
    outline.attributes.iter().filter(move |it| range.contains(&it.name))
}

/// Whether a `cfg` is about tests: it has `test`, not under `not`.
pub(crate) fn is_for_tests(outline: &Outline<'_>, attribute: &Attribute) -> bool {
    outline.text(attribute.name) == "cfg"
        && (attribute.name..attribute.end)
            .any(|at| outline.text(at) == "test" && outline.before(at, 2) != "not")
}

/// Whether a place of a Rust file is code that dev-dependencies are for: tests, examples and benches.
pub fn is_dev_code(path: &ProjectPath, text: &str, at: usize) -> bool {
    let is_folder = |it: &str| matches!(it, "tests" | "examples" | "benches");
    if is_test_path(path.as_str()) || path.as_str().split('/').rev().skip(1).any(is_folder) {
        return true;
    }
    let outline = Outline::of(text);
    let token = outline.tokens.partition_point(|it| it.span.end <= at);
    Layout::of(false, &outline).in_tests(token)
}

/// Whether a file with this path contains only tests.
pub fn is_test_path(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or("");
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    parts.iter().any(|it| matches!(*it, "tests" | "test"))
        || matches!(stem, "tests" | "test")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
}

fn tests(is_test_file: bool, outline: &Outline<'_>, functions: &[Function]) -> Vec<Range<usize>> {
    let whole = is_test_file
        || outline.attributes.iter().any(|it| {
            is_for_tests(outline, it)
                && it.name >= 3
                && outline.before(it.name, 2) == "!"
                && outline.elements.iter().any(|element| {
                    element.kind == ElementKind::Other && element.start + 3 == it.name
                })
                && !outline.elements.iter().any(|element| {
                    element.kind == ElementKind::Item
                        && (element.start..element.end).contains(&it.name)
                })
        });
    if whole {
        return std::iter::once(0..outline.tokens.len()).collect();
    }
    let mut tests: Vec<Range<usize>> = outline
        .elements
        .iter()
        .filter(|element| attributes_of(outline, element).any(|it| is_for_tests(outline, it)))
        .map(|it| it.start..it.end)
        .chain(functions.iter().filter(|it| it.is_test).map(|it| it.start..it.end))
        .collect();
    tests.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    let mut outermost: Vec<Range<usize>> = Vec::new();
    for test in tests {
        if outermost.last().is_none_or(|last| last.end < test.end) {
            outermost.push(test);
        }
    }
    outermost
}

/// Whether a token may be the name of a value, a type or a function.
pub(crate) fn is_name(outline: &Outline<'_>, at: usize) -> bool {
    outline.tokens.get(at).is_some_and(|it| {
        it.kind == TokenKind::Word && !is_keyword(it.text) && !matches!(it.text, "true" | "false")
    })
}
