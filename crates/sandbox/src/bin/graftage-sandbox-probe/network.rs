//! Attacks that reach the network or other processes through sockets.

use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::time::Duration;

use crate::{Attack, Verdict, number, raw, target};

pub(crate) const ATTACKS: &[Attack] = &[
    ("tcp_to_host", tcp_to_host),
    ("tcp_to_host_v6", tcp_to_host_v6),
    ("tcp_listen", tcp_listen),
    ("udp_to_host", udp_to_host),
    ("dns_question", dns_question),
    ("raw_icmp_socket", || made(raw::socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP))),
    ("packet_socket", || made(raw::socket(libc::AF_PACKET, libc::SOCK_RAW, 0x0300))),
    ("netlink_socket", || made(raw::socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE))),
    ("vsock_socket", || made(raw::socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0))),
    ("kernel_crypto_socket", || made(raw::socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0))),
    ("unix_socket_of_host", unix_socket_of_host),
    ("unix_datagram_to_host", unix_datagram_to_host),
    ("abstract_socket_of_host", abstract_socket_of_host),
    ("socket_by_x32_number", socket_by_x32_number),
    ("socket_by_i386_gate", socket_by_i386_gate),
];

fn made(result: std::io::Result<()>) -> Verdict {
    result?;
    Ok("made a socket".to_owned())
}

fn port(name: &str) -> u16 {
    u16::try_from(number(name)).unwrap_or(0)
}

fn tcp_to_host() -> Verdict {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port("TCP")))?;
    Ok("connected".to_owned())
}

fn tcp_to_host_v6() -> Verdict {
    TcpStream::connect((Ipv6Addr::LOCALHOST, port("TCP6")))?;
    Ok("connected".to_owned())
}

fn tcp_listen() -> Verdict {
    TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    Ok("listens".to_owned())
}

fn udp_to_host() -> Verdict {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.send_to(b"probe", (Ipv4Addr::LOCALHOST, port("UDP")))?;
    Ok("sent".to_owned())
}

/// A DNS query; sending it is the escape, even without a listener.
fn dns_question() -> Verdict {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_read_timeout(Some(Duration::from_millis(100)))?;
    let question =
        b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01";
    socket.send_to(question, (Ipv4Addr::new(127, 0, 0, 53), 53))?;
    Ok("asked".to_owned())
}

fn unix_socket_of_host() -> Verdict {
    UnixStream::connect(target("UNIX"))?;
    Ok("connected".to_owned())
}

fn unix_datagram_to_host() -> Verdict {
    UnixDatagram::unbound()?.send_to(b"probe", target("UNIX_DATAGRAM"))?;
    Ok("sent".to_owned())
}

fn abstract_socket_of_host() -> Verdict {
    let address = SocketAddr::from_abstract_name(target("ABSTRACT"))?;
    UnixStream::connect_addr(&address)?;
    Ok("connected".to_owned())
}

#[cfg(target_arch = "x86_64")]
fn socket_by_x32_number() -> Verdict {
    let x32 = 0x4000_0000 | libc::SYS_socket;
    raw::call(x32, &[libc::AF_INET as usize, libc::SOCK_STREAM as usize, 0])?;
    Ok("made a socket".to_owned())
}

#[cfg(target_arch = "x86_64")]
fn socket_by_i386_gate() -> Verdict {
    made(raw::socket_by_i386())
}

#[cfg(not(target_arch = "x86_64"))]
fn socket_by_x32_number() -> Verdict {
    crate::blocked("no such numbers on this machine")
}

#[cfg(not(target_arch = "x86_64"))]
fn socket_by_i386_gate() -> Verdict {
    crate::blocked("no such gate on this machine")
}
