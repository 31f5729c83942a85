//! Trees that code which goes by paths cannot remove: deeper than the longest path, and folders
//! without permissions.

use super::batches::Attack;
use super::control::Control;

/// Where, and the phase that can write there.
const WHERE: &[(&str, &str, &str)] = &[
    ("the target", "test", "{T}/odd"),
    ("the libraries", "test", "{T}/debug/deps/odd"),
    ("the fingerprints", "test", "{T}/debug/.fingerprint/odd"),
    ("one fingerprint", "test", "{T}/debug/.fingerprint/a-1111111111111111/odd"),
    ("the outputs", "test", "{T}/debug/build/odd"),
    ("a forged profile", "test", "{T}/aevil/.fingerprint/odd"),
    ("the home of the build", "test", "{HOME}/odd"),
    ("its temporary files", "test", "{TMP}/odd"),
    ("the view", "build", "{M}/odd"),
];

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for (place, phase, path) in WHERE {
        // One for each way in which folders are removed: what is this deep takes long to make.
        if matches!(*place, "the target" | "the home of the build" | "the view") {
            attacks.push(Attack {
                name: format!("{place}: 600 folders in each other"),
                lines: vec![format!("{phase}: deep | {path}/deep | 600 | 8")],
                control: Control::RemoveByPath(format!("{path}/deep")),
            });
        }
        attacks.push(Attack {
            name: format!("{place}: folders with long names in each other"),
            lines: vec![format!("{phase}: deep | {path}/long | 25 | 200")],
            control: Control::RemoveByPath(format!("{path}/long")),
        });
        attacks.push(Attack {
            name: format!("{place}: a folder without permissions"),
            lines: vec![
                format!("{phase}: write | {path}/shut/file | x"),
                format!("{phase}: shut | {path}/shut"),
            ],
            control: Control::RemoveShut(format!("{path}/shut")),
        });
    }
    attacks
}
