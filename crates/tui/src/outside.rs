//! Work beside the terminal: copied texts in a file, texts in the person's editor. The files are in a
//! directory of our own, in the state of the project.

use std::path::Path;

use base::ProjectPath;

use crate::message::TuiMessage;

/// Writes a copied text into a file; the message names it.
pub(crate) fn copied(folder: &Path, text: &str, sent: &str) -> TuiMessage {
    let file = folder.join("copied.txt");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    TuiMessage::Copied(match written {
        Ok(()) => format!("{sent}the text is in {}", file.display()),
        Err(error) => format!("{sent}no file has it: {error}"),
    })
}

/// Lets the person edit a text in the editor, at a line from 1.
pub(crate) fn edited(
    folder: &Path,
    editor: &[String],
    (path, text, line): (ProjectPath, &str, usize),
) -> TuiMessage {
    let folder = folder.join("edit");
    let file = folder.join(path.file_name());
    if let Err(error) = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text))
    {
        return TuiMessage::Copied(format!("cannot write `{}`: {error}", file.display()));
    }
    let mut words = editor.to_vec();
    words.push(format!("+{line}"));
    words.push(file.display().to_string());
    match sandbox::run_for_person(&words) {
        Ok(true) => match std::fs::read_to_string(&file) {
            Ok(text) => TuiMessage::Edited(path, Some(text)),
            Err(error) => TuiMessage::Copied(format!("cannot read `{}`: {error}", file.display())),
        },
        Ok(false) => TuiMessage::Copied("the editor failed: nothing was changed".to_owned()),
        Err(error) => TuiMessage::Copied(format!("the editor cannot be started: {error}")),
    }
}
