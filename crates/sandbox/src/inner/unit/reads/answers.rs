//! Answers to the calls of a unit. Start at [`Reads::answer`].

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::super::caller::{self, Caller, Named};
use super::super::calls::{self, Fact, Use};
use super::super::facts;
use super::{Reads, Seen};
use crate::sys::notice::{Listener, Notice};

impl Reads {
    /// Looks at one call that waits, and answers it.
    pub(in super::super) fn answer(&mut self, listener: &Listener) {
        // The process may have been killed meanwhile; so with the answers.
        let Ok(notice) = listener.next() else { return };
        let caller = Caller::new(notice.thread);
        self.look_at_program(caller);
        if calls::ends(notice.call) {
            return drop(listener.go_on(&notice));
        }
        if calls::shares(notice.call) {
            return self.answer_sharing(listener, &notice, caller);
        }
        if let Some(process) = calls::process(notice.call, &notice.arguments) {
            // To a unit there are no others, as if it were alone.
            return drop(match self.is_own(process) {
                true => listener.go_on(&notice),
                false => listener.fail(&notice, Errno::SRCH),
            });
        }
        if calls::changes_open(notice.call) {
            return self.answer_change(listener, &notice, caller, notice.arguments[0]);
        }
        for argument in calls::arguments(notice.call) {
            let address = notice.arguments[argument.name];
            let folder = argument.folder.map(|it| notice.arguments[it]);
            let name = match caller.text(address) {
                // As of `futimens`: the call is about what is open.
                _ if address == 0 => OsString::new(),
                Ok(name) => name,
                Err(errno) => return drop(listener.fail(&notice, errno)),
            };
            if name.is_empty() && !matches!(argument.is, Use::Open(_)) {
                match (argument.is, folder) {
                    // What is open already was noted then, but not what the kernel opens for it.
                    (Use::Start, _) => self.lose(),
                    (Use::Change, Some(file)) => {
                        return self.answer_change(listener, &notice, caller, file);
                    }
                    _ => {}
                }
                continue;
            }
            let follows = argument.follows(&notice.arguments);
            let named = caller.find(folder, Path::new(&name), follows);
            if self.is_hidden(&named) {
                return drop(listener.fail(&notice, Errno::NOENT));
            }
            let flags = argument.flags(&notice.arguments);
            if let Some(flags) = flags.filter(|it| calls::only_reads(*it)) {
                return self.open(listener, &notice, &named, flags);
            }
            match argument.is {
                Use::Fact(fact) => {
                    return self.state((listener, &notice, caller), &named, fact, follows);
                }
                Use::Start if matches!(named, Named::Missing(_)) => {
                    self.note_other(caller, argument.is, None, &named);
                    return drop(listener.fail(&notice, Errno::NOENT));
                }
                Use::Change if !self.is_own_entry(&named) => {
                    self.note_other(caller, argument.is, None, &named);
                    return drop(listener.fail(&notice, Errno::PERM));
                }
                _ => self.note_other(caller, argument.is, flags, &named),
            }
        }
        let _ = listener.go_on(&notice);
    }

    /// Answers a question about an entry.
    fn state(
        &mut self,
        (listener, notice, caller): (&Listener, &Notice, Caller),
        named: &Named,
        fact: Fact,
        follows: bool,
    ) {
        let answer = match named {
            // As of `/proc/self`, which is another link for each that asks.
            Named::Found(found)
                if !follows && found.real.starts_with("/proc") && !found.is_link() =>
            {
                return self.leave(listener, notice);
            }
            Named::Found(found) => {
                self.note_other(caller, Use::Fact(fact), None, named);
                facts::answer(fact, found, (caller, listener, notice))
            }
            Named::Missing(missing) => {
                self.note_missing(missing);
                Err(missing.errno)
            }
            Named::OfAnother => return self.leave(listener, notice),
        };
        let _ = match answer {
            Ok(value) => listener.succeed(notice, value),
            // This process cannot answer.
            Err(Errno::NOSYS) => return self.leave(listener, notice),
            Err(errno) => listener.fail(notice, errno),
        };
    }

    /// A call that changes what others see of an open file: only of the unit's own, so that nothing is passed on by
    /// that.
    fn answer_change(&self, listener: &Listener, notice: &Notice, caller: Caller, file: u64) {
        let _ = match caller.has_open(file, |it| self.target.is_output(it)) {
            true => listener.go_on(notice),
            false => listener.fail(notice, Errno::PERM),
        };
    }

    /// Whether an entry is one of the unit's own output, or is not there.
    fn is_own_entry(&self, named: &Named) -> bool {
        match named {
            Named::Found(found) => self.target.is_output(&found.real),
            Named::Missing(_) => true,
            Named::OfAnother => false,
        }
    }

    /// A call by which the unit can have what another one read.
    fn answer_sharing(&mut self, listener: &Listener, notice: &Notice, caller: Caller) {
        if notice.call == libc::SYS_connect
            && let Some(missing) = caller.missing_socket(notice.arguments[1])
        {
            // As of a name service that is asked first.
            self.note_missing(&missing);
            return drop(listener.fail(notice, missing.errno));
        }
        match notice.call {
            // To the other end of what is connected, as by `send`.
            libc::SYS_sendto if notice.arguments[4] == 0 => {}
            libc::SYS_fcntl if !calls::is_about_file(&notice.arguments) => {}
            // As of a compiler's own incremental data.
            libc::SYS_flock | libc::SYS_fcntl | libc::SYS_fgetxattr | libc::SYS_flistxattr
                if caller.has_open(notice.arguments[0], |it| self.target.is_output(it)) => {}
            _ => self.lose(),
        }
        let _ = listener.go_on(notice);
    }

    /// Opens the file for the caller.
    fn open(&mut self, listener: &Listener, notice: &Notice, named: &Named, flags: OFlags) {
        let opened = match named {
            Named::Found(found) if flags.contains(OFlags::EXCL | OFlags::CREATE) => {
                self.note(found, Seen::Name);
                Err(Errno::EXIST)
            }
            Named::Found(found) if flags.contains(OFlags::PATH) => {
                self.note(found, Seen::Size);
                caller::same_place(found, flags)
            }
            Named::Found(found) => match found.kind {
                FileType::RegularFile
                | FileType::Directory
                | FileType::Symlink
                | FileType::CharacterDevice => {
                    self.note(found, Seen::Content);
                    let list = match found.kind {
                        FileType::Directory => self.target.list(&found.real),
                        _ => None,
                    };
                    list.unwrap_or_else(|| caller::open(found, flags - OFlags::CREATE))
                }
                // As of cargo's job server.
                FileType::Fifo if found.is_unnamed() => caller::open_pipe(found, flags),
                // To open it may wait for its other end.
                _ => return self.leave(listener, notice),
            },
            // It would be made.
            Named::Missing(missing) if flags.contains(OFlags::CREATE) => {
                self.note_missing(missing);
                return self.leave(listener, notice);
            }
            Named::Missing(missing) => {
                self.note_missing(missing);
                Err(missing.errno)
            }
            Named::OfAnother => return self.leave(listener, notice),
        };
        let given = opened.and_then(|file| {
            listener.hand_over(notice, file.as_fd(), flags.contains(OFlags::CLOEXEC))
        });
        if let Err(errno) = given {
            let _ = listener.fail(notice, errno);
        }
    }

    /// Leaves a call to the kernel and the rights of the caller. What it reads is not known then.
    fn leave(&mut self, listener: &Listener, notice: &Notice) {
        self.lose();
        let _ = listener.go_on(notice);
    }
}
