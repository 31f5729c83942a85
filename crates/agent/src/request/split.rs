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
    let numbered = numbered(text.trim());
    if numbered.len() > 1 && numbered.len() <= MAX_STEPS {
        return numbered;
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

/// The steps of a list within a line: `1. a 2. b`, `1) a; 2) b`. Marks in code do not divide.
fn numbered(text: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let Some(mark) = text.strip_prefix('1').and_then(|it| it.chars().next()) else { return steps };
    let Some(mut rest) = text.get(2..).filter(|_| matches!(mark, '.' | ')')) else { return steps };
    while !rest.is_empty() {
        let next = format!(" {}{mark} ", steps.len() + 2);
        let is_outside = |at: &usize| rest[..*at].matches('`').count().is_multiple_of(2);
        let at = rest.match_indices(&next).map(|it| it.0).find(is_outside);
        let (step, more) = at.map_or((rest, ""), |at| (&rest[..at], &rest[at + next.len()..]));
        let step = step.trim().trim_end_matches([';', ',', '.']);
        if step.is_empty() {
            return Vec::new();
        }
        steps.push(step.to_owned());
        rest = more;
    }
    steps
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
