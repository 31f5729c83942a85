//! `serve mcp --print-config`: the lines that make a client start the server.

use clap::ValueEnum;
use serde::Serialize;

use crate::exit::{Failure, Status};
use crate::output;
use crate::session::Session;

/// A client with a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    Claude,
    Codex,
    Cursor,
    Zed,
    Vscode,
    Gemini,
    Opencode,
}

/// An editor that drives agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Editor {
    Zed,
    Jetbrains,
    Codecompanion,
    Avante,
    Emacs,
}

/// A piece of a configuration file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ClientConfig {
    /// The file, in the project or below the home directory.
    file: &'static str,
    /// The piece to add.
    config: String,
    /// The command that adds it, where the client has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'static str>,
}

/// Command and arguments of the server; every client below starts it in the directory of the project.
const SERVER: &str = r#""command": "graftage", "args": ["serve", "mcp"]"#;
/// The same for clients that show the model the JSON of an answer, if there is any, instead of the text,
/// which has fewer tokens.
const SERVER_OF_TEXT: &str =
    r#""command": "graftage", "args": ["serve", "mcp", "--config", "serve.answers=text"]"#;

pub(crate) fn run(session: &Session, client: Client) -> Result<Status, Failure> {
    print(session, &client_config(client))
}

fn print(session: &Session, made: &ClientConfig) -> Result<Status, Failure> {
    if session.global.json {
        output::json(made)?;
        return Ok(Status::Done);
    }
    output::note(&format!("add to {}:", made.file));
    output::say(&made.config)?;
    if let Some(command) = made.command {
        output::note(&format!("or run: {command}"));
    }
    Ok(Status::Done)
}

/// Prints the lines for an editor.
pub(crate) fn run_editor(session: &Session, editor: Editor) -> Result<Status, Failure> {
    print(session, &editor_config(editor))
}

fn editor_config(editor: Editor) -> ClientConfig {
    let (file, config) = match editor {
        Editor::Zed => (
            "~/.config/zed/settings.json",
            "{\n  \"agent_servers\": {\n    \"graftage\": { \"type\": \"custom\", \"command\": \
             \"graftage\", \"args\": [\"serve\", \"acp\"] }\n  }\n}\n",
        ),
        Editor::Jetbrains => (
            "~/.jetbrains/acp.json",
            "{\n  \"agent_servers\": {\n    \"graftage\": { \"command\": \"graftage\", \"args\": \
             [\"serve\", \"acp\"] }\n  }\n}\n",
        ),
        Editor::Codecompanion => (
            "your Neovim configuration (codecompanion.nvim)",
            "require(\"codecompanion\").setup({\n  adapters = {\n    acp = {\n      graftage = function()\n        \
             return require(\"codecompanion.adapters\").extend(\"gemini_cli\", {\n          name = \"graftage\",\n          \
             commands = { default = { \"graftage\", \"serve\", \"acp\" } },\n        })\n      end,\n    },\n  },\n})\n",
        ),
        Editor::Avante => (
            "your Neovim configuration (avante.nvim)",
            "require(\"avante\").setup({\n  provider = \"graftage\",\n  acp_providers = {\n    graftage = { command = \
             \"graftage\", args = { \"serve\", \"acp\" } },\n  },\n})\n",
        ),
        Editor::Emacs => (
            "your Emacs configuration (agent-shell)",
            "(defun agent-shell-start-graftage ()\n  (interactive)\n  (agent-shell--start\n   :config \
             (agent-shell-make-agent-config\n            :identifier 'graftage\n            :buffer-name \
             \"graftage\"\n            :shell-prompt \"graftage> \"\n            :shell-prompt-regexp \"graftage> \
             \"\n            :client-maker (lambda (buffer)\n                            (agent-shell--make-acp-client\n                             \
             :command \"graftage\"\n                             :command-params '(\"serve\" \"acp\")\n                             \
             :context-buffer buffer)))))\n",
        ),
    };
    ClientConfig { file, config: config.to_owned(), command: None }
}

fn client_config(client: Client) -> ClientConfig {
    let json = |key: &str, server: &str| {
        format!("{{\n  \"{key}\": {{\n    \"graftage\": {{ {server} }}\n  }}\n}}\n")
    };
    let (file, config, command) = match client {
        Client::Claude => (
            ".mcp.json",
            json("mcpServers", SERVER_OF_TEXT),
            Some("claude mcp add graftage -- graftage serve mcp --config serve.answers=text"),
        ),
        Client::Codex => (
            "~/.codex/config.toml",
            "[mcp_servers.graftage]\ncommand = \"graftage\"\nargs = [\"serve\", \"mcp\", \"--config\", \
             \"serve.answers=text\"]\n"
                .to_owned(),
            Some("codex mcp add graftage -- graftage serve mcp --config serve.answers=text"),
        ),
        Client::Cursor => (".cursor/mcp.json", json("mcpServers", SERVER), None),
        Client::Zed => {
            let server = format!("\"source\": \"custom\", {SERVER}");
            (".zed/settings.json", json("context_servers", &server), None)
        }
        Client::Vscode => {
            let server = format!("\"type\": \"stdio\", {SERVER}");
            (".vscode/mcp.json", json("servers", &server), None)
        }
        Client::Gemini => (
            ".gemini/settings.json",
            json("mcpServers", SERVER),
            Some("gemini mcp add graftage graftage serve mcp"),
        ),
        Client::Opencode => {
            let server =
                r#""type": "local", "command": ["graftage", "serve", "mcp"], "enabled": true"#;
            ("opencode.json", json("mcp", server), None)
        }
    };
    ClientConfig { file, config, command }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_is_valid_and_starts_the_server() {
        for client in Client::value_variants() {
            let made = client_config(*client);
            let value: serde_json::Value = if made.file.ends_with(".toml") {
                toml::from_str(&made.config).unwrap()
            } else {
                serde_json::from_str(&made.config).unwrap()
            };
            let servers = value.as_object().unwrap().values().next().unwrap();
            let server = &servers["graftage"];
            let mut words: Vec<&str> = Vec::new();
            for part in [&server["command"], &server["args"]] {
                words.extend(part.as_str());
                words.extend(part.as_array().into_iter().flatten().filter_map(|it| it.as_str()));
            }
            let text: &[&str] = match client {
                Client::Claude | Client::Codex => &["--config", "serve.answers=text"],
                _ => &[],
            };
            assert_eq!(words, [&["graftage", "serve", "mcp"], text].concat(), "{client:?}");
        }
    }
}
