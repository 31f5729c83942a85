//! Links of Markdown.

use expect_test::{Expect, expect};
use graftage_memory::{LinkOptions, extract_links, get_extension, is_external_link};
use proptest::prelude::*;

fn check(text: &str, options: &LinkOptions, expected: Expect) {
    let links = extract_links(text, options);
    let lines = links
        .iter()
        .map(|it| format!("{}: {} -> {}\n", it.line_number, it.display_text, it.relative_path));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn links_have_text_path_and_line() {
    check(
        "# Rules\n\nSee [the *style* guide](docs/style.md) and\n[two\nlines](a.md \"title (x)\").\n\n\
         - [`code` & more](<with space.md>)\n- [nested [brackets]](p(1).md)\n- [ref][r] and [r]\n\n\
         | a |\n|---|\n| [cell](t.md) |\n\n[r]: ref.md 'T'\n",
        &LinkOptions::default(),
        expect![[r#"
            3: the style guide -> docs/style.md
            4: two lines -> a.md
            7: code & more -> with space.md
            8: nested [brackets] -> p(1).md
            9: ref -> ref.md
            9: r -> ref.md
            13: cell -> t.md
        "#]],
    );
}

#[test]
fn code_comments_images_and_headings_are_no_links() {
    check(
        "---\nlink: \"[front](front.md)\"\n---\n`[span](a.md)`\n\n```md\n[fence](b.md)\n```\n\n    \
         [indented](c.md)\n\n<!-- [comment](d.md) -->\n\n![image](e.md) ![alt [in](f.md)](g.png)\n\n\
         \\[escaped](h.md) [heading](#here) [empty]()\n\n[![badge](i.svg)](badge.md)\n\n\
         [decoded](a%20b.md#part) [query](q.md?x=1) [bad](%ff%zz.md)\n",
        &LinkOptions::default(),
        expect![[r#"
            18:  -> badge.md
            20: decoded -> a b.md
            20: query -> q.md
            20: bad -> %ff%zz.md
        "#]],
    );
}

#[test]
fn options_choose_by_extension_pattern_and_site() {
    let text = "[a](docs/a.md) [b](docs/b.RS) [c](x/c.md) [d](https://e.org/d.md) <f@g.org> \
                [e](//host/e.md) [g](file:///etc/passwd)";
    check(
        text,
        &LinkOptions { extensions: vec!["md".to_owned()], ..LinkOptions::default() },
        expect![[r#"
            1: a -> docs/a.md
            1: c -> x/c.md
        "#]],
    );
    let path_pattern = Some(globset::Glob::new("docs/**").unwrap().compile_matcher());
    check(
        text,
        &LinkOptions { path_pattern, external: true, ..LinkOptions::default() },
        expect![[r#"
            1: a -> docs/a.md
            1: b -> docs/b.RS
            1: d -> https://e.org/d.md
            1: f@g.org -> mailto:f@g.org
            1: e -> //host/e.md
            1: g -> file:///etc/passwd
        "#]],
    );
}

#[test]
fn schemes_and_extensions_are_read() {
    for external in ["https://a", "mailto:x@y", "file:///x", "//host/x", "javascript:x", "C:\\x"] {
        assert!(is_external_link(external), "{external}");
    }
    for local in ["a.md", "./a:b.md", "/a.md", "a/b:c", "#x", "", ":x", "1a:x"] {
        assert!(!is_external_link(local), "{local}");
    }
    let extensions =
        ["a/b.MD#x", "a.tar.gz?q", "a", ".gitignore", "a.", "a.b/c"].map(get_extension);
    let expected = [Some("md"), Some("gz"), None, None, None, None];
    assert_eq!(extensions, expected.map(|it| it.map(str::to_owned)));
}

proptest! {
    #[test]
    fn any_text_has_links_with_lines_of_the_text(text in "[\\[\\]()!`<>#\\\\ \na-z.:/*_|-]{0,200}") {
        let options = LinkOptions { external: true, ..LinkOptions::default() };
        let lines = text.matches('\n').count() as u32 + 1;
        for link in extract_links(&text, &options) {
            prop_assert!((1..=lines).contains(&link.line_number));
            prop_assert!(!link.display_text.contains('\n') && !link.relative_path.is_empty());
        }
    }
}
