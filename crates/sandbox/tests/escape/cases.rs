//! The list of attacks: the name of each, when it counts as stopped, its result outside of a
//! sandbox, and the modes in which it does not apply.

/// How a sandbox is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Namespaces,
    Bare,
}

/// When an attack counts as stopped. In addition, after every case nothing outside may have
/// changed, the victim lives, and no process survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The exit code of the probe reports it.
    Refused,
    /// The attack may succeed inside – on private files –, but the host must not change.
    Unnoticed,
    /// The kept output stays within its limit.
    Bounded,
    /// The time limit ends it.
    TimedOut,
}

/// The result of the same attack without a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// It succeeds: asserted.
    Succeeds,
    /// It succeeds when root with all of root's rights runs it: asserted for that.
    SucceedsForRoot,
    /// It depends on the machine: printed and counted; only a correct call is asserted.
    Depends,
    /// It is not tried, for this reason.
    Never(&'static str),
}

/// One attack.
pub(crate) struct Case {
    pub(crate) attack: &'static str,
    pub(crate) stopped: Stopped,
    pub(crate) control: Control,
    /// The reason why it does not apply in a mode.
    pub(crate) not_in: &'static [(Mode, &'static str)],
}

const fn case(attack: &'static str, stopped: Stopped, control: Control) -> Case {
    Case { attack, stopped, control, not_in: &[] }
}

const fn refused(attack: &'static str, control: Control) -> Case {
    case(attack, Stopped::Refused, control)
}

const fn only_in_namespaces(attack: &'static str, why: &'static [(Mode, &'static str)]) -> Case {
    Case { attack, stopped: Stopped::Refused, control: Control::Succeeds, not_in: why }
}

use Control::{Depends, Never, Succeeds, SucceedsForRoot};
use Stopped::{Bounded, TimedOut, Unnoticed};

const METADATA: &[(Mode, &str)] = &[(
    Mode::Bare,
    "Landlock does not govern modes, owners, times and attributes; listed in `degraded`",
)];
const HIDING: &[(Mode, &str)] =
    &[(Mode::Bare, "a view that hides a part of a folder is refused without namespaces")];
const HARM: Control = Never("would change this machine");
const BOMB: Control = Never("would take this machine's processes or memory");

pub(crate) const CASES: &[Case] = &[
    refused("write_absolute", Succeeds),
    refused("write_through_dot_dot", Succeeds),
    refused("write_through_own_symlink", Succeeds),
    refused("write_through_planted_symlink", Succeeds),
    refused("write_through_hard_link", Succeeds),
    refused("write_through_proc_self_root", Succeeds),
    refused("write_through_proc_1_root", Depends),
    refused("write_through_proc_of_host_process", Succeeds),
    refused("write_through_host_process_cwd", Succeeds),
    refused("write_relative_to_root", Succeeds),
    refused("rename_out", Succeeds),
    refused("rename_in", Succeeds),
    refused("symlink_swap_race", Depends),
    refused("truncate_outside", Succeeds),
    refused("append_outside", Succeeds),
    refused("delete_outside", Succeeds),
    refused("make_folder_outside", Succeeds),
    only_in_namespaces("chmod_outside", METADATA),
    only_in_namespaces("touch_outside", METADATA),
    Case { attack: "xattr_outside", stopped: Stopped::Refused, control: Depends, not_in: METADATA },
    refused("write_to_read_only_mount", Succeeds),
    only_in_namespaces("chmod_in_read_only_mount", METADATA),
    case("write_to_host_tmp", Unnoticed, Succeeds),
    case("write_to_host_shm", Unnoticed, Succeeds),
    refused("write_to_usr", HARM),
    refused("write_to_etc", HARM),
    refused("write_core_pattern", SucceedsForRoot),
    refused("write_sysrq_trigger", Depends),
    refused("write_sysfs", Depends),
    refused("write_host_cgroup", Depends),
    refused("inherited_descriptor", Succeeds),
    refused("make_block_device", SucceedsForRoot),
    refused("plant_setuid_file_by_chmod", Succeeds),
    refused("plant_setgid_file_by_chmod", Succeeds),
    refused("plant_setuid_file_by_open", Succeeds),
    refused("plant_setuid_file_by_openat2", Succeeds),
    refused("read_kernel_keys", Depends),
    refused("open_disk", Depends),
    refused("open_kernel_memory", Depends),
    refused("read_ssh_key", Succeeds),
    refused("read_cargo_credentials", Succeeds),
    refused("read_git_credentials", Succeeds),
    only_in_namespaces("read_hidden_place", HIDING),
    refused("list_homes", Succeeds),
    refused("list_host_tmp", Succeeds),
    refused("read_shadow", SucceedsForRoot),
    refused("read_file_of_other_user", SucceedsForRoot),
    refused("read_by_handle", SucceedsForRoot),
    refused("open_host_root_by_handle_of_cwd", Depends),
    refused("tcp_to_host", Succeeds),
    refused("tcp_to_host_v6", Depends),
    refused("tcp_listen", Succeeds),
    refused("udp_to_host", Succeeds),
    refused("dns_question", Succeeds),
    refused("raw_icmp_socket", SucceedsForRoot),
    refused("packet_socket", SucceedsForRoot),
    refused("netlink_socket", Succeeds),
    refused("vsock_socket", Depends),
    refused("kernel_crypto_socket", Depends),
    refused("unix_socket_of_host", Succeeds),
    refused("unix_datagram_to_host", Succeeds),
    refused("abstract_socket_of_host", Succeeds),
    refused("socket_by_x32_number", Depends),
    refused("socket_by_i386_gate", Depends),
    refused("ptrace_host_process", Depends),
    refused("ptrace_traceme", Succeeds),
    refused("read_memory_of_host_process", Depends),
    refused("open_memory_of_host_process", Depends),
    refused("environment_of_host_process", Succeeds),
    refused("maps_of_host_process", Succeeds),
    refused("descriptors_of_host_process", Succeeds),
    refused("command_lines_of_host", Succeeds),
    refused("environment_of_supervisor", Succeeds),
    refused("descriptors_of_supervisor", Succeeds),
    refused("own_environment", Succeeds),
    refused("kill_host_process", Succeeds),
    refused("signal_host_process_by_pidfd", Succeeds),
    refused("signal_processes_around", Succeeds),
    refused("kill_supervisor", Never("its parent would be this suite")),
    refused("limits_of_host_process", Succeeds),
    refused("priority_of_host_process", Succeeds),
    refused("shared_memory_of_host", Succeeds),
    refused("semaphores_of_host", Succeeds),
    case("survive_in_background", Unnoticed, Succeeds),
    case("survive_in_new_session", Unnoticed, Succeeds),
    case("survive_by_double_fork", Unnoticed, Succeeds),
    case("survive_deaf_to_signals", Unnoticed, Succeeds),
    case("survive_stopped", Unnoticed, Succeeds),
    case("survive_by_fleeing", Unnoticed, Never("could not be caught again")),
    case("survive_with_closed_output", Unnoticed, Succeeds),
    refused("add_key", Depends),
    refused("keyctl", Depends),
    refused("io_uring", Depends),
    refused("bpf", Depends),
    refused("perf_event", Depends),
    refused("userfaultfd", Depends),
    refused("mount_tmpfs", SucceedsForRoot),
    refused("remount_writable", SucceedsForRoot),
    refused("unmount_proc", HARM),
    refused("new_mount_api", SucceedsForRoot),
    refused("clone_mount_tree", SucceedsForRoot),
    refused("unshare_user", Depends),
    refused("unshare_mounts", SucceedsForRoot),
    refused("clone_user", Depends),
    refused("clone3_user", Depends),
    refused("set_namespace", Succeeds),
    refused("chroot", SucceedsForRoot),
    refused("pivot_root", SucceedsForRoot),
    refused("become_root", SucceedsForRoot),
    refused("setuid_programs", Depends),
    refused("capabilities", SucceedsForRoot),
    refused("set_host_name", HARM),
    refused("set_clock", HARM),
    refused("load_module", Depends),
    refused("unload_module", Depends),
    refused("kexec", HARM),
    refused("reboot", SucceedsForRoot),
    refused("swap", SucceedsForRoot),
    refused("kernel_log", SucceedsForRoot),
    refused("type_into_terminal", Depends),
    refused("fork_bomb", BOMB),
    refused("thread_bomb", BOMB),
    refused("memory_hog", Succeeds),
    refused("memory_hog_of_children", Succeeds),
    refused("memory_hog_by_memory_files", Succeeds),
    refused("fill_tmp", Succeeds),
    refused("fill_shm", BOMB),
    refused("large_file", Succeeds),
    refused("many_descriptors", Depends),
    case("output_flood", Bounded, Never("is no harm to one who does not listen")),
    case("endless_line", Bounded, Never("is no harm to one who does not listen")),
    refused("spin", Never("takes 120 s")),
    case("sleep", TimedOut, Never("takes 20 s")),
];
