//! The software bill of materials: CycloneDX 1.5, as JSON (<https://cyclonedx.org/docs/1.5/json/>).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::facts::Facts;

/// The bill for these packages; `lock` has the sums of their archives.
pub(super) fn text(facts: &Facts, packages: &[(String, String, String)], lock: &str) -> String {
    let sums = sums(lock);
    let components: Vec<String> = packages
        .iter()
        .map(|(name, version, licence)| {
            let version = version.trim_start_matches('v');
            let sum = sums.get(&(name.as_str(), version)).copied();
            component("library", name, version, licence, sum)
        })
        .collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \
         \"metadata\": {{\n    \"timestamp\": \"{}T00:00:00Z\",\n    \"component\": {}\n  }},\n  \
         \"components\": [\n    {}\n  ]\n}}\n",
        facts.date,
        component("application", "graftage", &facts.version, &facts.licence, None),
        components.join(",\n    ")
    )
}

fn component(kind: &str, name: &str, version: &str, licence: &str, sum: Option<&str>) -> String {
    let purl = format!("pkg:cargo/{name}@{version}");
    // The old form of `OR` in manifests.
    let licence = licence.replace('/', " OR ");
    let mut text = format!(
        "{{ \"type\": {}, \"bom-ref\": {purl}, \"name\": {}, \"version\": {}, \"purl\": {purl}, \
         \"licenses\": [{{ \"expression\": {} }}]",
        quoted(kind),
        quoted(name),
        quoted(version),
        quoted(&licence),
        purl = quoted(&purl)
    );
    if let Some(sum) = sum {
        let _ = write!(
            text,
            ", \"hashes\": [{{ \"alg\": \"SHA-256\", \"content\": {} }}]",
            quoted(sum)
        );
    }
    text.push_str(" }");
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The sums of archives in a lock file, by name and version.
fn sums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let (mut sums, mut name, mut version) = (BTreeMap::new(), "", "");
    for line in lock.lines() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        let value = value.trim_matches('"');
        match key {
            "name" => name = value,
            "version" => version = value,
            "checksum" => drop(sums.insert((name, version), value)),
            _ => {}
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::facts;

    #[test]
    fn each_package_has_its_licence_and_sum() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\nchecksum = \"0f\"\n";
        let packages = [("a".to_owned(), "v1.2.3".to_owned(), "MIT/Apache-2.0".to_owned())];
        let text = text(&facts::example(), &packages, lock);
        for part in [
            "\"purl\": \"pkg:cargo/a@1.2.3\"",
            "\"expression\": \"MIT OR Apache-2.0\"",
            "\"content\": \"0f\"",
            "\"timestamp\": \"2026-11-30T00:00:00Z\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
