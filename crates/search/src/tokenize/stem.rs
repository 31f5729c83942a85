//! Stems English words: plural, `-ing`, `-ed` and a last `e`.

/// Takes the plural, `-ing`, `-ed` and a last `e` from a folded word of ASCII letters; digits and
/// other scripts stay.
pub(super) fn stem(word: &mut String) {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    plural(word);
    inflection(word);
    if word.len() >= 4 && word.ends_with('e') && !word.ends_with("ee") {
        word.pop();
    }
}

fn plural(word: &mut String) {
    let cut = |word: &mut String, len: usize| word.truncate(word.len() - len);
    if word.ends_with("ies") && word.len() > 4 {
        cut(word, 3);
        word.push('y');
    } else if ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| word.ends_with(end)) {
        cut(word, 2);
    } else if word.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| word.ends_with(end))
    {
        cut(word, 1);
    }
}

fn inflection(word: &mut String) {
    if word.ends_with("ied") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
        return;
    }
    let rest = match word.as_bytes() {
        [rest @ .., b'i', b'n', b'g'] if rest.len() >= 2 => rest,
        [rest @ .., b'e', b'd'] if rest.len() >= 3 && !rest.ends_with(b"e") => rest,
        _ => return,
    };
    if !rest.iter().any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')) {
        return;
    }
    let len = rest.len();
    let is_doubled = len >= 3
        && rest[len - 1] == rest[len - 2]
        && !matches!(rest[len - 1], b'a' | b'e' | b'i' | b'o' | b'u' | b'l' | b's' | b'z');
    word.truncate(len - usize::from(is_doubled));
}
