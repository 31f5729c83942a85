//! Names that are close to a mistyped one.

/// The longest name that is compared.
const LONGEST: usize = 100;

/// The known names that are close to `name`, best first; those at equal distance in their order.
pub fn nearest_names<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in known {
        let other = plain(candidate);
        let distance = strsim::osa_distance(&wanted, &other);
        let shorter = wanted.len().min(other.len());
        let is_part = shorter >= 3 && (wanted.contains(&other) || other.contains(&wanted));
        if distance * 3 <= wanted.len().max(other.len()) || is_part {
            near.push((distance, candidate));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(limit).map(|(_, name)| name).collect()
}
