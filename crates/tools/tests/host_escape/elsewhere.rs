//! Attacks on the host side that have their tests, with a control each, in other crates: what a
//! repository contains beside its sources, and what a language server sends.

/// A file of tests, and the attacks in it.
pub(crate) const ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "crates/build/tests/it/attacks.rs",
        &[
            "a_toolchain_inside_the_project_never_runs_at_all",
            "a_folder_as_the_toolchain_has_no_network_even_where_it_is_trusted",
            "a_toolchain_file_that_leads_elsewhere_is_not_followed",
            "a_crate_that_is_not_what_the_index_lists_is_not_taken",
            "a_crate_and_an_index_that_agree_against_the_lock_file_are_not_taken",
            "a_lock_file_with_names_that_lead_elsewhere_asks_nothing_of_the_network",
            "a_lock_file_without_end_is_not_read_to_its_end",
            "a_lock_file_that_is_a_pipe_does_not_hang_the_host",
            "a_manifest_that_names_a_repository_of_this_machine_reads_nothing_of_it",
            "links_of_a_manifest_into_the_private_folders_lead_nowhere",
        ],
    ),
    (
        "crates/build/tests/it/config_attacks.rs",
        &[
            "a_compiler_of_the_project_does_not_run",
            "a_wrapper_of_the_project_does_not_run",
            "a_wrapper_for_members_does_not_run",
            "a_compiler_in_an_older_configuration_file_does_not_run",
            "a_compiler_in_the_configuration_of_a_folder_above_does_not_run",
            "a_linker_and_a_runner_do_not_run",
            "an_alias_named_fetch_does_not_run",
            "variables_of_the_configuration_reach_no_process",
            "a_provider_of_credentials_does_not_run",
            "a_proxy_of_the_project_receives_nothing",
            "packages_of_a_folder_outside_the_project_are_not_read",
        ],
    ),
    (
        "crates/repo/tests/it/git_attacks.rs",
        &[
            "a_hook_reads_no_credentials_of_the_user",
            "a_message_that_a_hook_replaces_by_a_link_is_not_read",
            "an_index_that_a_hook_plants_as_a_link_is_not_written_through",
            "a_hook_chooses_no_author",
            "a_forged_object_is_not_taken_over",
            "a_filter_of_the_user_cannot_write_the_git_folder",
            "hooks_of_a_linked_worktree_write_neither_git_folder",
            "without_namespaces_a_hook_cannot_write_the_git_folder_either",
            "a_git_file_that_names_another_repository_is_refused",
            "a_link_to_another_repository_is_refused",
            "a_common_folder_elsewhere_is_refused",
            "objects_of_another_repository_are_not_shown",
            "endless_files_of_a_repository_end_nothing",
        ],
    ),
    (
        "crates/analyzer/tests/it/session.rs",
        &[
            "requests_of_the_server_are_answered_and_its_edits_are_rejected",
            "invalid_output_ends_the_server_and_not_the_session",
            "a_flooding_server_is_replaced",
            "a_message_above_the_limit_ends_the_server_and_an_unfinished_one_times_out",
            "actions_are_resolved_and_those_that_rename_files_are_dropped",
            "a_server_with_another_position_encoding_is_rejected",
        ],
    ),
];

/// The names that are not in their files any more.
pub(crate) fn missing() -> Vec<String> {
    let mut missing = Vec::new();
    for (file, names) in ELSEWHERE {
        let text = std::fs::read_to_string(testkit::workspace_root().join(file)).unwrap();
        let gone = names.iter().filter(|name| !text.contains(&format!("fn {name}()")));
        missing.extend(gone.map(|name| format!("{file}: {name}")));
    }
    missing
}
