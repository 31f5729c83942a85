//! Landlock rules: which files may be opened, and whether signals and sockets may leave the job.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::Failure;
use crate::error::SetupStep;
use crate::sys;
use crate::wire::{Landlock, Stage};

/// The newest set of rights that the rules are written for.
const WANTED: ABI = ABI::V6;

/// Applies the rules to this process and its children; returns the Landlock version.
pub(super) fn restrict(rules: &Landlock, degraded: &mut Vec<String>) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(Stage::Setup(SetupStep::Landlock), error.to_string())
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WANTED))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(WANTED)))
        .map_err(|error| failed(&error))?;
    if rules.no_tcp {
        ruleset =
            ruleset.handle_access(AccessNet::from_all(WANTED)).map_err(|error| failed(&error))?;
    }
    let mut created = ruleset.create().map_err(|error| failed(&error))?;
    let read = AccessFs::from_read(WANTED);
    for path in &rules.read {
        created = allow(created, path, read).map_err(|error| failed(&error))?;
    }
    for path in &rules.write {
        // Sockets and pipes may be made, devices not.
        let write = AccessFs::from_all(WANTED) & !(AccessFs::MakeBlock | AccessFs::MakeChar);
        created = allow(created, path, write).map_err(|error| failed(&error))?;
    }
    for path in &rules.sockets {
        let socket = AccessFs::ReadDir | AccessFs::MakeSock | AccessFs::RemoveFile;
        created = allow(created, path, socket).map_err(|error| failed(&error))?;
    }
    if rules.own_proc {
        let own = format!("/proc/{}", rustix::process::getpid().as_raw_nonzero());
        created = allow(created, own.as_ref(), read).map_err(|error| failed(&error))?;
    }
    let status = created.restrict_self().map_err(|error| failed(&error))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(failed(&"the kernel enforces none of it"));
    }
    let version = sys::landlock_version();
    if version < 6 {
        degraded.push(format!("Landlock version {version} does not confine signals"));
    }
    Ok(format!("landlock (version {version})"))
}

/// Restricts what this process and its children may write to these folders, and to nothing but the null
/// device besides. What may be read stays as it is.
pub(super) fn confine_writes(folders: &[&std::path::Path]) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(Stage::Setup(SetupStep::Landlock), error.to_string())
    };
    let write = AccessFs::from_write(WANTED);
    let mut created = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)
        .and_then(|ruleset| ruleset.scope(Scope::from_all(WANTED)))
        .and_then(Ruleset::create)
        .map_err(|error| failed(&error))?;
    let made = write & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    for folder in folders {
        created = allow(created, folder.as_os_str(), made).map_err(|error| failed(&error))?;
    }
    created = allow(created, "/dev/null".as_ref(), write).map_err(|error| failed(&error))?;
    match created.restrict_self().map_err(|error| failed(&error))?.ruleset {
        RulesetStatus::NotEnforced => Err(failed(&"the kernel enforces none of it")),
        _ => Ok(()),
    }
}

/// Paths that do not exist need no rule.
fn allow(
    created: RulesetCreated,
    path: &std::ffi::OsStr,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(fd) = PathFd::new(path) else { return Ok(created) };
    let is_folder = rustix::fs::fstat(&fd).is_ok_and(|stat| {
        rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Directory
    });
    let access = if is_folder { access } else { access & AccessFs::from_file(WANTED) };
    created.add_rule(PathBeneath::new(fd, access))
}
