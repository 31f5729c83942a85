//! HTTP dates, as in `retry-after` (RFC 9110, section 5.6.7; the current format alone).

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds since the Unix epoch of a date like `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(super) fn parse_http_date(text: &str) -> Option<u64> {
    let (_, date) = text.split_once(", ")?;
    let parts: Vec<&str> = date.split(' ').collect();
    let [day, month, year, time, "GMT"] = parts[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let (day, year) = (number(day, 2)?, number(year, 4)?);
    let clock: Vec<&str> = time.split(':').collect();
    let [hour, minute, second] = clock[..] else { return None };
    let (hour, minute, second) = (number(hour, 2)?, number(minute, 2)?, number(second, 2)?);
    // A leap second is second 60.
    if !(1..=31).contains(&day) || year < 1970 || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(((days_since_epoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// A number of exactly `digits` digits.
fn number(text: &str, digits: usize) -> Option<u64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, with years that start in March.
fn days_since_epoch(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months_since_march = (month + 9) % 12;
    let day_of_year = (153 * months_since_march + 2) / 5 + day - 1;
    // 719,468 days from 0000-03-01 to 1970-01-01.
    (365 * year + year / 4 - year / 100 + year / 400 + day_of_year).saturating_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds_since_the_epoch() {
        for (text, want) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600),
        ] {
            assert_eq!(parse_http_date(text), Some(want), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 0000 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
        ] {
            assert_eq!(parse_http_date(text), None, "{text}");
        }
    }
}
