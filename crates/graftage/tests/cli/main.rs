//! Tests of the binary: standard output, standard error and status.

mod bad_input;
mod contract;
mod editions;
mod fixing;
mod history;
mod inlining;
mod kills;
mod map;
mod moving;
mod policy;
mod proposals;
mod races;
mod refactoring;
mod reshaping;
mod search;
mod support;
mod tasks;
mod tools;
mod trust;
mod watch;
