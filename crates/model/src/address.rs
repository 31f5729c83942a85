//! Addresses of servers: validated before any request, so that a key is sent only where the user
//! configured it, and never unencrypted to another machine.

use std::path::Path;

/// Why an address cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressProblem {
    /// It is not an address of a server.
    Invalid(&'static str),
    /// It needs TLS, and this build has none.
    NoTls,
}

/// Validates the address of a server to which a key is sent, if there is one.
pub(crate) fn validate(url: &str, has_key: bool) -> Result<(), AddressProblem> {
    let authority = authority_of(url)
        .ok_or(AddressProblem::Invalid("it starts with neither `http://` nor `https://`"))?;
    if authority.is_empty() || url.contains(|ch: char| ch.is_whitespace() || ch.is_control()) {
        return Err(AddressProblem::Invalid("it has no host name"));
    }
    if authority.contains('@') {
        return Err(AddressProblem::Invalid("it contains a user name or password"));
    }
    let is_tls = url.starts_with("https://");
    if is_tls && cfg!(not(feature = "tls")) {
        return Err(AddressProblem::NoTls);
    }
    if !is_tls && has_key && !is_local(url) {
        return Err(AddressProblem::Invalid("a key is not sent unencrypted to another machine"));
    }
    Ok(())
}

/// Whether the address is on this machine.
pub(crate) fn is_local(url: &str) -> bool {
    let host = host_of(url);
    let address = host.parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|it| it.is_loopback())
}

/// Host name of a URL, without port and brackets; empty where there is none.
pub(crate) fn host_of(url: &str) -> &str {
    let authority = authority_of(url).unwrap_or_default();
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// The address without the part before an `@` and without its query, which may be secrets.
pub(crate) fn shown(url: &str) -> &str {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    url.rsplit('@').next().unwrap_or_default()
}

/// Host and port of a URL.
fn authority_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    rest.split(['/', '?', '#', '\\']).next()
}

/// An HTTP client that no response and no environment variable can redirect; with `socket`, one of the server there.
pub(crate) fn fixed_agent(
    socket: Option<&Path>,
    timeouts: impl FnOnce(
        ureq::config::ConfigBuilder<ureq::typestate::AgentScope>,
    ) -> ureq::config::ConfigBuilder<ureq::typestate::AgentScope>,
) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .http_status_as_error(false)
        .max_idle_connections(1)
        .user_agent("graftage");
    let config = timeouts(config).build();
    match socket {
        Some(socket) => crate::unix::agent(config, socket),
        None => config.into(),
    }
}
