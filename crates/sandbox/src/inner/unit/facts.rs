//! Answers to questions about an entry, taken from the entry that was found and noted: a thread that exchanges the name
//! meanwhile learns of no other one.

use std::os::fd::AsFd as _;

use rustix::io::Errno;

use super::caller::{Caller, Found};
use super::calls::Fact;
use crate::sys::fact;
use crate::sys::notice::{Listener, Notice};

/// Longest text of a link.
const LINK: u64 = 4_096;

/// Answers with a fact about an entry; returns the result of the call.
pub(super) fn answer(
    fact: Fact,
    found: &Found,
    (caller, listener, notice): (Caller, &Listener, &Notice),
) -> Result<i64, Errno> {
    let place = found.place.as_fd();
    let argument = |it: usize| notice.arguments[it];
    // Flags are 32 bits wide.
    let flags = |it: Option<usize>| it.map_or(0, |it| argument(it) as u32);
    let put = |at: usize, bytes: &[u8]| caller.put(argument(at), bytes, || listener.waits(notice));
    match fact {
        Fact::Stat(at, _) => put(at, &fact::stat(place)?).map(|()| 0),
        Fact::Statx(with, mask, at) => {
            put(at, &fact::statx(place, flags(Some(with)), flags(Some(mask)))?).map(|()| 0)
        }
        Fact::Access(mode, with) => fact::access(place, flags(Some(mode)), flags(with)).map(|()| 0),
        Fact::Link(..) if !found.is_link() => Err(Errno::INVAL),
        Fact::Link(at, most) => {
            let text = rustix::fs::readlinkat(place, "", Vec::new())?.into_bytes();
            // A number of 32 bits with a sign in one of the two calls.
            let most = argument(most).min(LINK) as usize;
            let text = &text[..text.len().min(most)];
            match text {
                [] => Err(Errno::INVAL),
                text => put(at, text).map(|()| text.len() as i64),
            }
        }
    }
}
