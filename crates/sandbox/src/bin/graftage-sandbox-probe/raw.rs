//! System calls that no library provides, because ordinary programs do not need them.
#![allow(unsafe_code)]

use std::io;

/// Makes any system call.
pub(crate) fn call(number: libc::c_long, args: &[usize]) -> io::Result<i64> {
    let arg = |idx: usize| args.get(idx).copied().unwrap_or(0);
    // SAFETY: none in general – that is the probe's purpose. The arguments used here are numbers,
    // and pointers to values that live over the call.
    let result = unsafe { libc::syscall(number, arg(0), arg(1), arg(2), arg(3), arg(4), arg(5)) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Forks the process; `true` in the child.
pub(crate) fn fork() -> io::Result<bool> {
    // SAFETY: the probe forks before it starts threads.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(true),
        _ => Ok(false),
    }
}

/// A socket, or the error.
pub(crate) fn socket(
    family: libc::c_int,
    kind: libc::c_int,
    protocol: libc::c_int,
) -> io::Result<()> {
    // SAFETY: numbers only; the descriptor is left open until the probe ends.
    if unsafe { libc::socket(family, kind, protocol) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// An empty buffer for calls that need an address.
pub(crate) fn c(text: &std::ffi::CStr) -> usize {
    text.as_ptr() as usize
}

/// Requests an IPv4 socket through the 32-bit system call gate of x86-64.
#[cfg(target_arch = "x86_64")]
pub(crate) fn socket_by_i386() -> io::Result<()> {
    let result: i64;
    // SAFETY: the gate takes numbers only here (`socket(AF_INET, SOCK_STREAM, 0)`); `rbx`, which
    // the compiler keeps for itself, is saved around it.
    unsafe {
        std::arch::asm!(
            "mov {saved}, rbx",
            "mov ebx, 2",
            "int 0x80",
            "mov rbx, {saved}",
            saved = out(reg) _,
            inlateout("rax") 359i64 => result,
            in("rcx") 1,
            in("rdx") 0,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    if result < 0 {
        return Err(io::Error::from_raw_os_error(i32::try_from(-result).unwrap_or(libc::EPERM)));
    }
    Ok(())
}
