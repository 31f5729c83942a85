//! [`checked_address`]: the address that a webhook may be sent to. A client must not reach through this server what it
//! cannot reach itself: this machine, its network, the metadata of its host.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _, UdpSocket};

use ::http::Uri;

use crate::error::PushError;

/// A webhook, read from its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebhookTarget {
    /// Whether the connection is encrypted.
    pub(crate) is_secure: bool,
    /// Name of the host, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Value of the header `Host`.
    pub(crate) authority: String,
    /// Path and parameters.
    pub(crate) path: String,
}

impl WebhookTarget {
    /// Reads an address, and refuses the ones that no resolution could allow.
    pub(crate) fn read(url: &str, allows_loopback: bool) -> Result<Self, PushError> {
        let uri: Uri = url.parse().map_err(|_| PushError::Url("is no address"))?;
        let is_secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(PushError::Url("begins with neither `https://` nor `http://`")),
        };
        let authority = uri.authority().ok_or(PushError::Url("has no host"))?.as_str().to_owned();
        if authority.contains('@') || url.len() > 2_048 {
            return Err(PushError::Url("has credentials, or is longer than 2,048 bytes"));
        }
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let default = if is_secure { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(default);
        let path = uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        let target = Self { is_secure, host, port, authority, path };
        let name = target.host.trim_end_matches('.').to_ascii_lowercase();
        let is_local = name == "localhost" || name.ends_with(".localhost");
        let literal = target.host.parse::<IpAddr>().ok();
        let is_refused = is_local && !allows_loopback
            || literal.is_some_and(|it| !is_allowed(it, allows_loopback));
        match is_refused || name.is_empty() {
            true => Err(refusal(&target.host)),
            false => Ok(target),
        }
    }
}

/// Resolves a host, and returns an address to connect to. One address that is not allowed refuses them all: which one
/// a second resolution returned would be chosen by the host.
pub(crate) fn checked_address(
    target: &WebhookTarget,
    allows_loopback: bool,
) -> Result<SocketAddr, PushError> {
    let found = (target.host.as_str(), target.port).to_socket_addrs();
    let unknown = || PushError::Unknown(base::visible_line(&target.host));
    let found: Vec<SocketAddr> = found.map_err(|_| unknown())?.collect();
    let is_refused = |it: &SocketAddr| {
        !is_allowed(it.ip(), allows_loopback) || !allows_loopback && is_of_this_machine(*it)
    };
    if found.iter().any(is_refused) {
        return Err(refusal(&target.host));
    }
    found.first().copied().ok_or_else(unknown)
}

fn refusal(host: &str) -> PushError {
    PushError::Internal(base::visible_line(host))
}

/// Whether an address belongs to this machine, whatever its class: the way to it then begins where it ends. No
/// packet is sent.
fn is_of_this_machine(address: SocketAddr) -> bool {
    let any: SocketAddr = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any).and_then(|it| it.connect(address).map(|()| it));
    socket.and_then(|it| it.local_addr()).is_ok_and(|it| it.ip() == address.ip())
}

/// Whether a webhook may be at this address.
fn is_allowed(address: IpAddr, allows_loopback: bool) -> bool {
    match address {
        IpAddr::V4(it) => is_public_v4(it) || allows_loopback && it.is_loopback(),
        IpAddr::V6(it) => match embedded(it) {
            Some(inner) => is_public_v4(inner) || allows_loopback && inner.is_loopback(),
            None => is_public_v6(it) || allows_loopback && it.is_loopback(),
        },
    }
}

fn is_public_v4(it: Ipv4Addr) -> bool {
    let [a, b, c, _] = it.octets();
    let is_reserved = matches!(
        (a, b, c),
        (0 | 10 | 127, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            | (224.., ..)
    );
    !is_reserved
}

fn is_public_v6(it: Ipv6Addr) -> bool {
    let [first, second, ..] = it.segments();
    // Only global unicast; of it not Teredo and the other special blocks, nor documentation.
    let is_special = first == 0x2001 && (second < 0x200 || second == 0xdb8);
    (0x2000..0x4000).contains(&first) && !is_special && first != 0x3fff
}

/// The address of version 4 in one of version 6 that is translated or tunnelled.
fn embedded(it: Ipv6Addr) -> Option<Ipv4Addr> {
    let part = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match it.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(part(high, low))
        }
        [0x2002, high, low, ..] => Some(part(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

    use super::*;

    #[test]
    fn an_address_of_this_machine_is_known_by_the_way_to_it() {
        assert!(is_of_this_machine("127.0.0.1:80".parse().unwrap()));
        assert!(is_of_this_machine("[::1]:80".parse().unwrap()));
        assert!(!is_of_this_machine("203.0.113.7:80".parse().unwrap()));
    }

    #[test]
    fn internal_addresses_are_refused() {
        for inner in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.192",
            "224.0.0.1",
            "255.255.255.255",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:10.0.0.1]",
            "[::127.0.0.1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "[ff02::1]",
            "[fec0::1]",
            "[64:ff9b::a9fe:a9fe]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::]",
            "[2001::1]",
            "[2001:db8::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
        ] {
            let url = format!("http://{inner}:8080/x");
            assert!(WebhookTarget::read(&url, false).is_err(), "{inner}");
        }
        // Forms that only a resolver reads as an address are refused after it.
        for odd in ["2130706433", "0x7f.1", "127.1", "0177.0.0.1"] {
            let target = WebhookTarget::read(&format!("http://{odd}/"), false);
            assert!(target.is_err() || checked_address(&target.unwrap(), false).is_err(), "{odd}");
        }
        for outer in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "a.example"] {
            let url = format!("https://{outer}/x?y=1");
            let target = WebhookTarget::read(&url, false).unwrap();
            assert_eq!((target.port, target.path.as_str()), (443, "/x?y=1"), "{outer}");
        }
        let outer = WebhookTarget::read("http://8.8.8.8/", false).unwrap();
        assert_eq!(checked_address(&outer, false).unwrap().to_string(), "8.8.8.8:80");
    }

    #[test]
    fn loopback_is_allowed_by_its_flag_alone() {
        for local in ["127.0.0.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"] {
            let target = WebhookTarget::read(&format!("http://{local}:1/"), true).unwrap();
            assert!(checked_address(&target, true).is_ok(), "{local}");
            assert!(checked_address(&target, false).is_err(), "{local}");
        }
        for other in ["10.0.0.1", "169.254.169.254", "[fe80::1]", "0.0.0.0"] {
            assert!(WebhookTarget::read(&format!("http://{other}/"), true).is_err(), "{other}");
        }
    }

    #[test]
    fn other_addresses_are_none() {
        for wrong in [
            "",
            "x",
            "/x",
            "file:///etc/passwd",
            "gopher://a.example/",
            "http://",
            "http:///x",
            "http://u:p@a.example/",
            "http://a.example/\r\nX: y",
            "http://a b/",
        ] {
            assert!(WebhookTarget::read(wrong, true).is_err(), "{wrong}");
        }
    }
}
