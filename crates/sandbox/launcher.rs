//! The program that cargo starts in the place of a compiler, a build script or a runner: it starts the stage, whose
//! path and word are its first argument, with an environment in which no loader of libraries finds a name. A project
//! can choose variables of its units; the stage would load what they name before it confines anything. So this
//! program has no loader: it is linked statically and has no library.
//!
//! The first byte of each variable is inverted in its highest bit; the stage inverts it back for the unit.

#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::panic::PanicInfo;

const FAILED: usize = 101;

#[cfg(target_arch = "x86_64")]
global_asm!(".globl _start", "_start:", "mov rdi, rsp", "and rsp, -16", "call {start}", start = sym start);
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x0, sp", "bl {start}", start = sym start);

/// `stack` is what the kernel gives a program: the number of arguments, the arguments and a null, the variables and
/// a null.
// SAFETY: to be called with that pointer alone.
unsafe extern "C" fn start(stack: *mut usize) -> ! {
    // SAFETY: the kernel has laid out the stack like this, and nothing else uses it.
    unsafe {
        let count = stack.read_volatile();
        let arguments = stack.add(1).cast::<*mut u8>();
        let variables = arguments.add(count + 1);
        let mut variable = variables;
        while !variable.read_volatile().is_null() {
            let first = variable.read_volatile();
            first.write_volatile(first.read_volatile() ^ 0x80);
            variable = variable.add(1);
        }
        if count >= 2 {
            let stage = arguments.add(1).read_volatile();
            let mut end = stage;
            while !matches!(end.read_volatile(), 0 | b' ') {
                end = end.add(1);
            }
            if end.read_volatile() == b' ' {
                end.write_volatile(0);
                arguments.write_volatile(stage);
                arguments.add(1).write_volatile(end.add(1));
                execute(stage, arguments, variables);
            }
        }
    }
    exit()
}

#[cfg(target_arch = "x86_64")]
// SAFETY: to be called with what the kernel gave this program.
unsafe fn execute(program: *mut u8, arguments: *mut *mut u8, variables: *mut *mut u8) {
    // SAFETY: the call reads texts and lists that end in a null; it returns only if it fails.
    unsafe {
        asm!("syscall", inlateout("rax") 59_usize => _, in("rdi") program, in("rsi") arguments,
            in("rdx") variables, out("rcx") _, out("r11") _);
    }
}

#[cfg(target_arch = "aarch64")]
// SAFETY: to be called with what the kernel gave this program.
unsafe fn execute(program: *mut u8, arguments: *mut *mut u8, variables: *mut *mut u8) {
    // SAFETY: the call reads texts and lists that end in a null; it returns only if it fails.
    unsafe {
        asm!("svc 0", in("x8") 221_usize, inlateout("x0") program => _, in("x1") arguments, in("x2") variables);
    }
}

#[cfg(target_arch = "x86_64")]
fn exit() -> ! {
    // SAFETY: the call ends the process.
    unsafe { asm!("syscall", in("rax") 60_usize, in("rdi") FAILED, options(noreturn)) }
}

#[cfg(target_arch = "aarch64")]
fn exit() -> ! {
    // SAFETY: the call ends the process.
    unsafe { asm!("svc 0", in("x8") 93_usize, in("x0") FAILED, options(noreturn)) }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    exit()
}
