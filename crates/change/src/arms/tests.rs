//! Missing arms, text in and text out.

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, ProjectPath, Replacement, Severity,
    SubDiagnostic,
};

use super::missing_arms;

/// The text with the arms that are added, where the compiler drafts `draft` at `^`; the patterns of
/// the holes after it.
fn fixed(text: &str, draft: &str) -> String {
    let at = text.find('^').unwrap();
    let mut text = text.replace('^', "");
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let replacement = Replacement {
        place: DiagnosticFile::Project(path),
        bytes: ByteSpan::new(at, at),
        text: draft.to_owned(),
        applicability: Applicability::HasPlaceholders,
        from_expansion: false,
    };
    let error = Diagnostic {
        code: Some("E0004".to_owned()),
        children: vec![SubDiagnostic {
            replacements: vec![replacement],
            ..SubDiagnostic::new(Severity::Help, "ensure that all cases are handled")
        }],
        ..Diagnostic::new(Severity::Error, "non-exhaustive patterns")
    };
    let read = |_: &ProjectPath| Some(text.as_str().into());
    let may_have = |owner: &str, _: &str| owner != "Lacking";
    let Some(missing) = missing_arms(&error, &read, Some(&may_have)) else {
        return "nothing".to_owned();
    };
    for it in missing.splices.iter().rev() {
        text.replace_range(it.span.start..it.span.end, &it.insert);
    }
    if missing.holes.is_empty() { text } else { format!("{text} // {}", missing.holes.join(", ")) }
}

fn check(text: &str, draft: &str, wanted: &str) {
    assert_eq!(fixed(text, draft), wanted);
}

#[test]
fn a_variant_beside_imported_ones_has_their_path() {
    check(
        "use crate::Kind::A;\nuse crate::Kind::B;\nfn f() { match k { A => 1, B => 2^ } }",
        ", Kind::C => todo!()",
        "use crate::Kind::A;\nuse crate::Kind::B;\n\
         fn f() { match k { A => 1, B => 2, crate::Kind::C => todo!() } } // crate::Kind::C",
    );
}

#[test]
fn a_variant_has_the_path_of_its_own_enum_where_another_import_has_the_names() {
    check(
        "fn a() { use self::Other::{A, B}; }\nfn f() { use crate::Kind::{A, B}; match k { A => 1, B => 2^ } }",
        ", util::Kind::C => todo!()",
        "fn a() { use self::Other::{A, B}; }\n\
         fn f() { use crate::Kind::{A, B}; match k { A => 1, B => 2, crate::Kind::C => todo!() } } // crate::Kind::C",
    );
}

#[test]
fn an_arm_that_all_siblings_share_is_completed() {
    check(
        "match self {\n    Join::Inner(c) => *c,\n    Join::Left(c) => *c^,\n}",
        ",\n    &Join::Right(_) => todo!()",
        "match self {\n    Join::Inner(c) => *c,\n    Join::Left(c) => *c,\n    Join::Right(c) => *c,\n}",
    );
    // The names of bindings, a block around the value and unit variants make no difference.
    check(
        "match s { Self::A(a) => a.x(), Self::B(b) => { b.x() } Self::C => 0^ }",
        ", Self::D(_) => todo!()",
        "match s { Self::A(a) => a.x(), Self::B(b) => { b.x() } Self::D(b) => { b.x() }, Self::C => 0 }",
    );
    check(
        "match t { T::A { x, .. } => x, T::B { x, .. } => x^ }",
        ", T::C { .. } => todo!()",
        "match t { T::A { x, .. } => x, T::B { x, .. } => x, T::C { x, .. } => x }",
    );
    check(
        "match t { T::A(a) => U::A(a), T::B(a) => U::B(a)^ }",
        ", T::C(_) => todo!()",
        "match t { T::A(a) => U::A(a), T::B(a) => U::B(a), T::C(a) => U::C(a) }",
    );
    // What is matched is borrowed for writing, and the compiler's path is not in scope.
    check(
        "match self { Chunk::Normal(s) => f(s), Chunk::Math(s) => g(s)^ }",
        ", &mut chunk::Chunk::Link { .. } => todo!()",
        "match self { Chunk::Normal(s) => f(s), Chunk::Math(s) => g(s), Chunk::Link { .. } => todo!() } // Chunk::Link { .. }",
    );
    // Another enum that has no such variant.
    check(
        "match t { T::A(a) => Lacking::A(a), T::B(a) => Lacking::B(a)^ }",
        ", T::C(_) => todo!()",
        "match t { T::A(a) => Lacking::A(a), T::B(a) => Lacking::B(a), T::C(_) => todo!() } // T::C(_)",
    );
    // The path of the compiler is in scope nowhere; the glob import of the others is.
    check(
        "use crate::op::Op::*; match t { Add => f(), Sub { .. } => g()^ }",
        ", &op::Op::Mul => todo!()",
        "use crate::op::Op::*; match t { Add => f(), Sub { .. } => g(), Mul => todo!() } // Mul",
    );
}

#[test]
fn an_arm_with_the_name_in_a_string_is_completed() {
    check(
        "match s {\n    S::NotFound => \"not_found\",\n    S::Gone => \"gone\"^,\n}",
        ",\n    S::NoBody => todo!()",
        "match s {\n    S::NotFound => \"not_found\",\n    S::Gone => \"gone\",\n    S::NoBody => \"no_body\",\n}",
    );
    check(
        "match s { S::Get => write!(f, \"GET\"), S::Put => write!(f, \"PUT\"), S::X(s) => f.s(s)^ }",
        ", S::Head => todo!()",
        "match s { S::Get => write!(f, \"GET\"), S::Put => write!(f, \"PUT\"), S::Head => write!(f, \"HEAD\"), \
         S::X(s) => f.s(s) }",
    );
    // The others do not show how two words are written; one is not the name.
    check(
        "match s { S::Get => \"get\", S::Put => \"put\"^ }",
        ", S::NoBody => todo!()",
        "match s { S::Get => \"get\", S::Put => \"put\", S::NoBody => todo!() } // S::NoBody",
    );
    check(
        "match s { S::Get => \"get\", S::Put => \"set\"^ }",
        ", S::Head => todo!()",
        "match s { S::Get => \"get\", S::Put => \"set\", S::Head => todo!() } // S::Head",
    );
}

#[test]
fn an_or_pattern_gets_an_alternative() {
    check(
        "match s { S::A(_) | S::B(_) => true^ }",
        ", &S::C(_) => todo!()",
        "match s { S::A(_) | S::B(_) | S::C(_) => true }",
    );
    check(
        "match s {\n    S::A(x)\n    | S::B(x) => x,\n    S::D => 0^,\n}",
        ",\n    S::C(_) => todo!()",
        "match s {\n    S::A(x)\n    | S::B(x)\n    | S::C(x) => x,\n    S::D => 0,\n}",
    );
    check(
        "match s { Some(S::A(x) | S::B(x)) => x, None => 0^ }",
        ", Some(&S::C(_)) => todo!()",
        "match s { Some(S::A(x) | S::B(x) | S::C(x)) => x, None => 0 }",
    );
    check(
        "match s { (S::A(x), _) | (S::B(x), _) => x^ }",
        ", (S::C(_), _) => todo!()",
        "match s { (S::A(x), _) | (S::B(x), _) | (S::C(x), _) => x }",
    );
}

#[test]
fn an_arm_that_siblings_do_not_share_gets_a_hole() {
    // Different values, or one that decides for its variant only.
    check(
        "match s { S::A => 1, S::B => 2^ }",
        ", S::C => todo!()",
        "match s { S::A => 1, S::B => 2, S::C => todo!() } // S::C",
    );
    check(
        "match s { S::A | S::B => true, S::D(_) => false^ }",
        ", S::C => todo!()",
        "match s { S::A | S::B => true, S::D(_) => false, S::C => todo!() } // S::C",
    );
    // One sibling shows nothing, nor do guards and panics.
    check(
        "match s { S::A(x) => x, S::B => 0^ }",
        ", S::C(_) => todo!()",
        "match s { S::A(x) => x, S::B => 0, S::C(_) => todo!() } // S::C(_)",
    );
    check(
        "match s { S::A(x) if x > 1 => x, S::A(x) => x, S::B(x) => x^ }",
        ", S::C(_) => todo!()",
        "match s { S::A(x) if x > 1 => x, S::A(x) => x, S::B(x) => x, S::C(_) => todo!() } // S::C(_)",
    );
    check(
        "match s { S::A | S::B => unreachable!()^ }",
        ", S::C => todo!()",
        "match s { S::A | S::B => unreachable!(), S::C => todo!() } // S::C",
    );
    // Another number of parts.
    check(
        "match s { S::A(x) => x, S::B(x) => x^ }",
        ", S::C(_, _) => todo!()",
        "match s { S::A(x) => x, S::B(x) => x, S::C(_, _) => todo!() } // S::C(_, _)",
    );
}

#[test]
fn several_missing_variants_get_one_arm_each() {
    check(
        "match s {\n    Self::A(x) => x,\n    Self::B(x) => x,\n    Self::E => 0^\n}",
        ",\n    S::C(_) | S::D => todo!()",
        "match s {\n    Self::A(x) => x,\n    Self::B(x) => x,\n    Self::C(x) => x,\n    Self::E => 0,\n    Self::D => todo!(),\n} // Self::D",
    );
    check(
        "match s { S::A => 1, S::B => 2^ }",
        ", S::C => todo!(), S::D => todo!()",
        "match s { S::A => 1, S::B => 2, S::C => todo!(), S::D => todo!() } // S::C, S::D",
    );
}

#[test]
fn a_bare_name_never_becomes_a_binding() {
    check(
        "use C::{A, B}; match s { A | B => true^ }",
        ", C::D => todo!()",
        "use C::{A, B}; match s { A | B | C::D => true }",
    );
    check(
        "use C::*; match s { A | B => true^ }",
        ", C::D => todo!()",
        "use C::*; match s { A | B | D => true }",
    );
}

#[test]
fn a_catch_all_is_never_added() {
    check("match s { S::A => 1^ }", ", _ => todo!()", "nothing");
    check("match s { S::A => 1^ }", ", &_ => todo!()", "nothing");
}

#[test]
fn the_layout_of_the_match_is_kept() {
    check(
        "match s {\r\n    S::A => {\r\n        f(1)\r\n    }\r\n    S::B => if x { 1 } else { 2 },\r\n    S::D => match y { _ => 1 }^\r\n}",
        ",\n    S::C => todo!()",
        "match s {\r\n    S::A => {\r\n        f(1)\r\n    }\r\n    S::B => if x { 1 } else { 2 },\r\n    S::D => match y { _ => 1 },\r\n    S::C => todo!(),\r\n} // S::C",
    );
}

#[test]
fn broken_matches_are_read_as_far_as_they_go() {
    for text in
        ["^", "match s {^", "match s { A =>^ }", "{ A(|B => ^", "{ #[a A^ => }", "{ A|| => 1^ }"]
    {
        fixed(text, ", S::C(_) => todo!()");
        fixed(text, ",{{ S::|(C) => todo!()");
        fixed(text, "todo!()");
    }
}
