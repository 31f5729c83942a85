//! Tests of the redaction: what is removed, what is left alone, and laws. Secrets are composed here
//! so that no file has one.

use proptest::prelude::*;

use super::*;

/// Characters that look random, without a repetition.
fn body(len: usize) -> String {
    "a9Xq2Lm7Rt4Zw8Kc1Vb6Ny3Hd5Jf0Gs".chars().cycle().take(len).collect()
}

fn kinds(text: &str) -> Vec<&'static str> {
    redact(text).1.iter().map(|it| it.kind.as_str()).collect()
}

#[test]
fn known_formats_are_removed() {
    for (secret, kind) in [
        (format!("sk-ant-api03-{}", body(90)), "provider-key"),
        (format!("sk-proj-{}", body(48)), "provider-key"),
        (format!("sk-{}", body(48)), "provider-key"),
        (format!("AKIA{}", "Q7RT4ZW8KC1VB6NY"), "aws"),
        (format!("ghp_{}", body(36)), "git-host"),
        (format!("github_pat_{}_{}", body(22), body(59)), "git-host"),
        (format!("xoxb-730281946350-{}", body(24)), "slack"),
        (format!("AIza{}", body(35)), "google"),
        (format!("sk_live_{}", body(24)), "stripe"),
        (format!("cio{}", body(32)), "registry"),
        (format!("eyJ{}.eyJ{}.{}", body(20), body(30), body(43)), "jwt"),
    ] {
        for text in [secret.clone(), format!("let k = \"{secret}\";"), format!("({secret}),\nx")] {
            let (clean, found) = redact(&text);
            assert!(!clean.contains(&secret), "{text}");
            assert_eq!(clean, text.replace(&secret, &format!("[redacted:{kind}]")));
            assert_eq!(found.len(), 1, "{text}");
        }
        // Part of a longer word.
        assert!(kinds(&format!("x{secret}")).is_empty(), "{secret}");
    }
}

#[test]
fn private_keys_are_removed_in_files_and_in_literals() {
    let data = body(64);
    let key = |label: &str, end: &str| {
        format!("-----BEGIN {label}-----{end}{data}{end}{data}{end}-----END {label}-----")
    };
    for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        for end in ["\n", "\r\n", "\\n", "\\n\\\n    "] {
            let (clean, found) = redact(&format!("a\n\"{}\"\nb", key(label, end)));
            assert_eq!(clean, "a\n\"[redacted:private-key]\"\nb");
            assert_eq!(found, [Redaction { kind: SecretKind::PrivateKey, line: 2 }]);
        }
    }
    let cut = key("PRIVATE KEY", "\n").replace("-----END PRIVATE KEY-----", "");
    assert_eq!(kinds(&cut), ["private-key"]);
    assert!(kinds(&key("PUBLIC KEY", "\n")).is_empty());
    assert!(kinds("const A: &str = \"-----BEGIN PRIVATE KEY-----\";\nfn f() {}").is_empty());
}

#[test]
fn random_values_of_secret_names_are_removed() {
    let value = body(24);
    for text in [
        "password = \"V\"",
        "\"api_key\": \"V\",",
        "let client_secret = \"V\";",
        "const API_KEY: &str = \"V\";",
        "const AUTH_TOKEN: &'static str = \"V\";",
        "token: String::from(\"V\"),",
        "config.password(\"V\")",
        "set_var(\"MY_TOKEN\", \"V\");",
        "dbPassword: 'V'",
        "API_KEY=V",
        "export AWS_SECRET_ACCESS_KEY=V\n",
        "  password: V\n",
        "GET /x?access_token=V&y=1",
        "tool --password=V -v",
        "secret => \"V\"",
        "Authorization: Bearer V",
        "postgres://admin:V@db.internal:5432/x",
    ] {
        let secret = text.replace('V', &value);
        let (clean, found) = redact(&secret);
        assert_eq!(found.len(), 1, "{secret}");
        assert_eq!(clean, text.replace('V', &format!("{REDACTED}{}]", found[0].kind.as_str())));
    }
}

#[test]
fn ordinary_code_is_left_alone() {
    let table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for text in [
        format!("const TABLE: &[u8; 64] = b\"{table}\";"),
        format!("assert_eq!(hex(&sha256(b\"\")), \"{hash}\");"),
        format!("checksum = \"{hash}\""),
        format!("let key = \"{hash}\";"),
        "color: #a1b2c3; background: #ff00ff".to_owned(),
        "let token = self.next_token2(kind)?;".to_owned(),
        "fn parse(token: TokenStream2) -> Result<Token3, Error4> {}".to_owned(),
        "password: \"correct horse battery staple\"".to_owned(),
        "let password = read_password_from_tty()?;".to_owned(),
        "api_key = \"YOUR_API_KEY_1_HERE_2\"".to_owned(),
        "token == \"a9Xq2Lm7Rt4Zw8Kc1Vb6\"".to_owned(),
        "postgres://postgres:password@localhost/db".to_owned(),
        "https://example.org:8080/a@b".to_owned(),
        "sk-learn sk-000000000000000000000000000000000000".to_owned(),
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
        "Bearer tokens_are_described_in_rfc_6750".to_owned(),
        "let secret_name = \"a9Xq2Lm7Rt4Zw8Kc1Vb6\";".to_owned(),
        "3f2b1c9d-7e4a-4c6b-9f1e-8d2a5b7c0e94".to_owned(),
    ] {
        assert_eq!(redact(&text), (text.clone(), Vec::new()));
    }
}

#[test]
fn values_of_secret_variables_are_removed_and_only_those() {
    let environment = [
        ("MY_SERVICE_TOKEN", "plain-value-7"),
        ("DB_PASSWORD", "plain-value-7-longer"),
        ("SSH_AUTH_SOCK", "/run/agent.12"),
        ("KEY_FILE", "/home/me/key"),
        ("TOKEN_COUNT", "12345678901"),
        ("API_KEY", "short"),
        ("SECRET_WORD", "function"),
        ("EDITOR", "visual-editor-1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let environment = SortedMap::from(environment);
    let redactor = Redactor::new(&environment);
    assert_eq!(format!("{redactor:?}"), "Redactor(2 values)");
    for value in environment.values() {
        let (clean, found) = redactor.redact(&format!("a {value} b"));
        let is_secret = value.starts_with("plain-value");
        assert_eq!(found.len(), usize::from(is_secret), "{value}");
        let want = if is_secret { "[redacted:environment]" } else { value };
        assert_eq!(clean, format!("a {want} b"));
    }
}

#[test]
fn the_report_has_the_line_of_each_secret() {
    let text = format!("a\nghp_{}\n\npassword = \"{}\"\nghp_{}", body(36), body(20), body(40));
    let (_, found) = redact(&text);
    assert_eq!(found.iter().map(|it| it.line).collect::<Vec<_>>(), [2, 4, 5]);
}

/// Random characters of an alphabet, from a seed.
fn random(seed: u64, alphabet: &str, len: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let characters: Vec<char> = alphabet.chars().collect();
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        characters[(state >> 33) as usize % characters.len()]
    };
    (0..len).map(next).collect()
}

#[test]
fn most_random_values_are_recognised() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (alphabet, len, least) in [
        (letters, 16, 850),
        (letters, 24, 950),
        (letters, 40, 990),
        ("0123456789abcdef", 32, 900),
        ("0123456789abcdef", 64, 990),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32, 850),
    ] {
        let is_found = |seed: &u64| {
            let value = random(*seed, alphabet, len);
            !redact(&format!("let password = \"{value}\";")).1.is_empty()
        };
        let found = (1..=1000).filter(is_found).count();
        assert!(found >= least, "{found} of 1000, {len} of {alphabet}");
    }
}

/// Texts with parts of secrets, so that rules meet their limits.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[ -~\n]{0,12}",
        "[a-zA-Z0-9]{10,45}",
        "[0-9a-f]{32}",
        Just("sk-ant-".to_owned()),
        Just("sk-".to_owned()),
        Just("ghp_".to_owned()),
        Just("AIza".to_owned()),
        Just("eyJ".to_owned()),
        Just(".".to_owned()),
        Just("password".to_owned()),
        Just("token".to_owned()),
        Just(" = \"".to_owned()),
        Just("=".to_owned()),
        Just("\"".to_owned()),
        Just("Bearer ".to_owned()),
        Just("://user:".to_owned()),
        Just("@".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        Just("-----END PRIVATE KEY-----".to_owned()),
        Just("ü".to_owned()),
        Just("value-of-env-1".to_owned()),
        Just("[redacted:jwt]".to_owned()),
    ];
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redaction_is_idempotent(text in texts()) {
        let environment = [("A_TOKEN".to_owned(), "value-of-env-1".to_owned())];
        let redactor = Redactor::new(&SortedMap::from(environment));
        let (once, found) = redactor.redact(&text);
        prop_assert_eq!(redactor.redact(&once), (once.clone(), Vec::new()));
        prop_assert_eq!(found.is_empty(), once == text);
        prop_assert!(!once.contains("value-of-env-1"));
    }

    #[test]
    fn any_text_is_accepted(text in any::<String>()) {
        let (once, _) = redact(&text);
        prop_assert_eq!(redact(&once).0, once);
    }
}
