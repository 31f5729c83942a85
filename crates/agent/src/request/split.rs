//! The steps that a task names itself: a list, or sentences.

/// Maximum number of steps.
const MAX_STEPS: usize = 12;

/// The steps of a task, in order; the whole task if it names none.
pub(crate) fn split_task(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let listed: Vec<String> = lines.iter().filter_map(|it| list_item(it)).collect();
    if listed.len() > 1 && listed.len() + 1 >= lines.len() && listed.len() <= MAX_STEPS {
        return listed;
    }
    let sentences = sentences(text);
    let are_steps = sentences.len() > 1
        && sentences.len() <= MAX_STEPS
        && sentences.iter().all(|it| super::recognise(it).is_some());
    match are_steps {
        true => sentences,
        false => vec![text.trim().to_owned()],
    }
}

/// The text of a line of a list: `- a`, `* a`, `1. a`, `2) a`, `- [ ] a`.
fn list_item(line: &str) -> Option<String> {
    let rest = match line.strip_prefix(['-', '*', '•']) {
        Some(rest) => rest,
        None => {
            let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
            (rest.len() < line.len()).then_some(rest)?.strip_prefix(['.', ')'])?
        }
    };
    let rest = rest.strip_prefix(' ')?.trim();
    let rest = rest.strip_prefix("[ ]").unwrap_or(rest).trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The sentences of a text, and their parts behind `then`. Marks in code do not divide.
fn sentences(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_code = false;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let c = rest.chars().next().unwrap_or(' ');
        is_code ^= c == '`';
        let after = |mark: &str| rest.strip_prefix(mark).map(|_| mark.len());
        let marks = [". ", ".\n", "; ", "\n", ", then ", " and then ", ", and then "];
        let mark = marks.iter().filter_map(|it| after(it)).max();
        match mark.filter(|_| !is_code) {
            Some(len) => {
                parts.push(String::new());
                at += len;
            }
            None => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
                at += c.len_utf8();
            }
        }
    }
    parts
        .iter()
        .map(|it| it.trim().trim_end_matches('.').to_owned())
        .filter(|it| !it.is_empty())
        .collect()
}
