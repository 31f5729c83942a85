//! Which requests reach a protocol: those of this machine, of no foreign page, with the token.
//!
//! A browser of the user can send requests to a loopback port on behalf of any page. `Host` shows that the
//! page used a name of its own for this machine (DNS rebinding), `Origin` that it is not ours; a
//! page cannot know the token. All three are checked before a byte of the body is read.

use std::net::SocketAddr;

use ::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use ::http::{HeaderMap, Method, StatusCode, Uri};

use crate::AccessToken;

/// The path of the Model Context Protocol.
pub(super) const PATH: &str = "/mcp";

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) reason: &'static str,
}

/// The checks of one server.
#[derive(Debug)]
pub(super) struct Guard {
    names: Vec<String>,
    token: Option<AccessToken>,
}

impl Guard {
    /// For the server that listens on `address`.
    pub(super) fn new(address: SocketAddr, token: Option<AccessToken>) -> Self {
        let port = address.port();
        let names = ["127.0.0.1", "localhost", "[::1]"].iter();
        Self { names: names.map(|name| format!("{name}:{port}")).collect(), token }
    }

    /// Checks everything of a request of the Model Context Protocol but its body.
    pub(super) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        self.check_sender(uri, headers)?;
        self.check_token(headers)?;
        if uri.path() != PATH {
            return refuse(StatusCode::NOT_FOUND, "the protocol is served at /mcp");
        }
        if ![Method::POST, Method::GET, Method::DELETE].contains(method) {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "use POST, GET or DELETE");
        }
        Ok(())
    }

    /// Checks that a request is for this server, and of no foreign page.
    pub(super) fn check_sender(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = only(headers, &HOST).and_then(|value| value.to_str().ok());
        let hosts = host.into_iter().chain(uri.authority().map(|it| it.as_str()));
        if host.is_none() || !hosts.into_iter().all(|host| self.is_ours(host)) {
            return refuse(StatusCode::FORBIDDEN, "Host is not the address of this server");
        }
        if headers.contains_key(ORIGIN) {
            let origin = only(headers, &ORIGIN).and_then(|value| value.to_str().ok());
            let page = origin.and_then(|origin| origin.strip_prefix("http://"));
            if !page.is_some_and(|page| self.is_ours(page)) {
                return refuse(StatusCode::FORBIDDEN, "Origin is another site");
            }
        }
        Ok(())
    }

    /// Checks the token.
    pub(super) fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let value = only(headers, &AUTHORIZATION);
        match value.is_some_and(|value| token.is_in(value.as_bytes())) {
            true => Ok(()),
            false => refuse(StatusCode::UNAUTHORIZED, "send `Authorization: Bearer TOKEN`"),
        }
    }

    fn is_ours(&self, authority: &str) -> bool {
        self.names.iter().any(|name| name.eq_ignore_ascii_case(authority))
    }
}

fn refuse(status: StatusCode, reason: &'static str) -> Result<(), Refusal> {
    Err(Refusal { status, reason })
}

/// The value of a header that occurs once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a ::http::HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { None } else { first }
}

#[cfg(test)]
mod tests {
    use ::http::HeaderValue;

    use super::*;

    const HOST_OK: (&str, &str) = ("host", "127.0.0.1:7000");

    fn status(path: &str, headers: &[(&str, &str)]) -> u16 {
        let guard =
            Guard::new("127.0.0.1:7000".parse().unwrap(), Some(AccessToken::for_tests("abc")));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        match guard.check(&Method::POST, &path.parse().unwrap(), &map) {
            Ok(()) => 200,
            Err(refusal) => refusal.status.as_u16(),
        }
    }

    #[test]
    fn the_token_is_needed_as_it_is() {
        assert_eq!(status("/mcp", &[HOST_OK, ("authorization", "Bearer abc")]), 200);
        assert_eq!(status("/mcp", &[HOST_OK, ("authorization", "bearer abc")]), 200);
        for wrong in ["Bearer abd", "Bearer ab", "Bearer abcd", "abc", "Basic abc", "Bearer", ""] {
            assert_eq!(status("/mcp", &[HOST_OK, ("authorization", wrong)]), 401, "{wrong}");
        }
        assert_eq!(status("/mcp", &[HOST_OK]), 401);
        let both = [HOST_OK, ("authorization", "Bearer abc"), ("authorization", "Bearer abd")];
        assert_eq!(status("/mcp", &both), 401);
    }

    #[test]
    fn a_foreign_host_is_refused_with_the_token_too() {
        let token = ("authorization", "Bearer abc");
        for host in ["localhost:7000", "LOCALHOST:7000", "[::1]:7000"] {
            assert_eq!(status("/mcp", &[("host", host), token]), 200, "{host}");
        }
        let foreign = [
            "evil.example:7000",
            "127.0.0.1",
            "127.0.0.1:7001",
            "localhost.evil.example:7000",
            "127.0.0.1:7000@evil.example",
            "0.0.0.0:7000",
            "",
            "127.0.0.1:7000 ",
        ];
        for host in foreign {
            assert_eq!(status("/mcp", &[("host", host), token]), 403, "{host}");
        }
        assert_eq!(status("/mcp", &[token]), 403);
        assert_eq!(status("/mcp", &[HOST_OK, HOST_OK, token]), 403);
        assert_eq!(status("http://evil.example/mcp", &[HOST_OK, token]), 403);
    }

    #[test]
    fn a_foreign_origin_is_refused_with_the_token_too() {
        let token = ("authorization", "Bearer abc");
        assert_eq!(status("/mcp", &[HOST_OK, token, ("origin", "http://localhost:7000")]), 200);
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:7000",
            "http://localhost:3000",
            "http://localhost",
            "http://localhost:7000.evil.example",
            "",
        ] {
            assert_eq!(status("/mcp", &[HOST_OK, token, ("origin", origin)]), 403, "{origin}");
        }
    }

    #[test]
    fn there_is_one_path() {
        for path in ["/", "/mcp/", "/MCP", "/mcp/../mcp", "/%6dcp"] {
            assert_eq!(status(path, &[HOST_OK, ("authorization", "Bearer abc")]), 404, "{path}");
        }
    }
}
