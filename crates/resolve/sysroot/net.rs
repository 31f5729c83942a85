// `std::net`.

use crate::io;
use crate::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IpAddr { V4(Ipv4Addr), V6(Ipv6Addr) }
impl IpAddr { fn is_ipv4(&self) -> bool; fn is_ipv6(&self) -> bool; fn is_loopback(&self) -> bool; fn is_unspecified(&self) -> bool; fn is_multicast(&self) -> bool; }
impl crate::fmt::Display for IpAddr {} impl crate::str::FromStr for IpAddr { type Err = AddrParseError; }
impl From<Ipv4Addr> for IpAddr {} impl From<Ipv6Addr> for IpAddr {} impl From<[u8; 4]> for IpAddr {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ipv4Addr;
impl Ipv4Addr {
    pub const LOCALHOST: Ipv4Addr = Ipv4Addr; pub const UNSPECIFIED: Ipv4Addr = Ipv4Addr;
    fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr; fn octets(&self) -> [u8; 4]; fn is_loopback(&self) -> bool;
}
impl crate::fmt::Display for Ipv4Addr {} impl crate::str::FromStr for Ipv4Addr { type Err = AddrParseError; }
impl From<[u8; 4]> for Ipv4Addr {} impl From<u32> for Ipv4Addr {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ipv6Addr;
impl Ipv6Addr {
    pub const LOCALHOST: Ipv6Addr = Ipv6Addr; pub const UNSPECIFIED: Ipv6Addr = Ipv6Addr;
    fn new(a: u16, b: u16, c: u16, d: u16, e: u16, f: u16, g: u16, h: u16) -> Ipv6Addr; fn octets(&self) -> [u8; 16]; fn segments(&self) -> [u16; 8];
}
impl crate::fmt::Display for Ipv6Addr {} impl crate::str::FromStr for Ipv6Addr { type Err = AddrParseError; }
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SocketAddr { V4(SocketAddrV4), V6(SocketAddrV6) }
impl SocketAddr { fn new(ip: IpAddr, port: u16) -> SocketAddr; fn ip(&self) -> IpAddr; fn set_ip(&mut self, ip: IpAddr); fn port(&self) -> u16; fn set_port(&mut self, port: u16); fn is_ipv4(&self) -> bool; fn is_ipv6(&self) -> bool; }
impl crate::fmt::Display for SocketAddr {} impl crate::str::FromStr for SocketAddr { type Err = AddrParseError; }
impl<I: Into<IpAddr>> From<(I, u16)> for SocketAddr {}
impl From<SocketAddrV4> for SocketAddr {} impl From<SocketAddrV6> for SocketAddr {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SocketAddrV4;
impl SocketAddrV4 { fn new(ip: Ipv4Addr, port: u16) -> SocketAddrV4; fn ip(&self) -> &Ipv4Addr; fn port(&self) -> u16; }
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SocketAddrV6;
impl SocketAddrV6 { fn new(ip: Ipv6Addr, port: u16, flowinfo: u32, scope_id: u32) -> SocketAddrV6; fn ip(&self) -> &Ipv6Addr; fn port(&self) -> u16; }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddrParseError;
pub trait ToSocketAddrs { type Iter: Iterator<Item = SocketAddr>; fn to_socket_addrs(&self) -> io::Result<Self::Iter>; }
impl ToSocketAddrs for SocketAddr { type Iter = crate::option::IntoIter<SocketAddr>; }
impl ToSocketAddrs for str { type Iter = crate::vec::IntoIter<SocketAddr>; }
impl ToSocketAddrs for crate::string::String { type Iter = crate::vec::IntoIter<SocketAddr>; }
impl ToSocketAddrs for (&str, u16) { type Iter = crate::vec::IntoIter<SocketAddr>; }
impl<T: ToSocketAddrs> ToSocketAddrs for &T { type Iter = T::Iter; }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown { Read, Write, Both }
#[derive(Debug)]
pub struct TcpStream;
impl TcpStream {
    fn connect<A: ToSocketAddrs>(addr: A) -> io::Result<TcpStream>;
    fn connect_timeout(addr: &SocketAddr, timeout: Duration) -> io::Result<TcpStream>;
    fn peer_addr(&self) -> io::Result<SocketAddr>; fn local_addr(&self) -> io::Result<SocketAddr>;
    fn shutdown(&self, how: Shutdown) -> io::Result<()>; fn try_clone(&self) -> io::Result<TcpStream>;
    fn set_read_timeout(&self, dur: Option<Duration>) -> io::Result<()>; fn set_write_timeout(&self, dur: Option<Duration>) -> io::Result<()>;
    fn peek(&self, buf: &mut [u8]) -> io::Result<usize>; fn set_nodelay(&self, nodelay: bool) -> io::Result<()>; fn nodelay(&self) -> io::Result<bool>;
    fn set_ttl(&self, ttl: u32) -> io::Result<()>; fn ttl(&self) -> io::Result<u32>; fn take_error(&self) -> io::Result<Option<io::Error>>;
    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()>;
}
impl io::Read for TcpStream {} impl io::Write for TcpStream {} impl io::Read for &TcpStream {} impl io::Write for &TcpStream {}
#[derive(Debug)]
pub struct TcpListener;
impl TcpListener {
    fn bind<A: ToSocketAddrs>(addr: A) -> io::Result<TcpListener>; fn local_addr(&self) -> io::Result<SocketAddr>; fn try_clone(&self) -> io::Result<TcpListener>;
    fn accept(&self) -> io::Result<(TcpStream, SocketAddr)>; fn incoming(&self) -> Incoming<'_>; fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()>;
}
pub struct Incoming<'a>;
impl Iterator for Incoming<'_> { type Item = io::Result<TcpStream>; }
#[derive(Debug)]
pub struct UdpSocket;
impl UdpSocket {
    fn bind<A: ToSocketAddrs>(addr: A) -> io::Result<UdpSocket>; fn local_addr(&self) -> io::Result<SocketAddr>;
    fn recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)>; fn send_to<A: ToSocketAddrs>(&self, buf: &[u8], addr: A) -> io::Result<usize>;
    fn connect<A: ToSocketAddrs>(&self, addr: A) -> io::Result<()>; fn send(&self, buf: &[u8]) -> io::Result<usize>; fn recv(&self, buf: &mut [u8]) -> io::Result<usize>;
    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()>;
}
