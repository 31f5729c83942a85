//! The server that the conformance suite describes: what it does is prescribed, how it is reached is
//! ours. Messages are written as JSON and read into `rmcp`'s types.

#![allow(deprecated, reason = "the handshake era has logging and subscriptions")]

use std::time::Duration;

use rmcp::ErrorData as McpError;
use rmcp::model::*;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{Peer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// The server of the suite.
#[derive(Clone)]
pub(crate) struct Fixture;

fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the fixture is valid")
}

fn pause() -> impl Future<Output = ()> {
    tokio::time::sleep(Duration::from_millis(50))
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = of(json!({
            "tools": {}, "prompts": {}, "logging": {}, "completions": {},
            "resources": {"subscribe": true}
        }));
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        let text = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
        let none = json!({"type": "object", "properties": {}});
        let mut tools = vec![
            json!({"name": "test_sampling", "inputSchema": text("prompt")}),
            json!({"name": "test_elicitation", "inputSchema": text("message")}),
            json!({"name": "json_schema_2020_12_tool", "inputSchema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                "$defs": {"address": {"type": "object", "properties":
                    {"street": {"type": "string"}, "city": {"type": "string"}}}},
                "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
                "additionalProperties": false}}),
        ];
        for name in [
            "test_simple_text",
            "test_image_content",
            "test_audio_content",
            "test_embedded_resource",
            "test_multiple_content_types",
            "test_tool_with_logging",
            "test_tool_with_progress",
            "test_error_handling",
            "test_elicitation_sep1034_defaults",
            "test_elicitation_sep1330_enums",
            "test_reconnection",
        ] {
            tools.push(json!({"name": name, "inputSchema": none}));
        }
        for tool in &mut tools {
            let name = tool["name"].as_str().unwrap_or_default();
            tool["description"] = json!(format!("The tool {name} of the suite"));
        }
        Ok(of(json!({"tools": tools})))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        let argument = |name: &str| {
            let arguments = request.arguments.as_ref();
            arguments.and_then(|it| it.get(name)).and_then(Value::as_str).unwrap_or_default()
        };
        let text = |text: &str| json!({"type": "text", "text": text});
        let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
        let content = match &*request.name {
            "test_simple_text" => vec![text("This is a simple text response for testing.")],
            "test_image_content" => vec![image],
            "test_audio_content" => {
                vec![json!({"type": "audio", "data": WAV, "mimeType": "audio/wav"})]
            }
            "test_embedded_resource" => vec![json!({"type": "resource", "resource": {
                "uri": "test://embedded-resource", "mimeType": "text/plain",
                "text": "This is an embedded resource content."}})],
            "test_multiple_content_types" => vec![
                text("Multiple content types test:"),
                image,
                json!({"type": "resource", "resource": {"uri": "test://mixed-content-resource",
                    "mimeType": "application/json", "text": "{\"test\":\"data\",\"value\":123}"}}),
            ],
            "test_tool_with_logging" => {
                for message in
                    ["Tool execution started", "Tool processing data", "Tool execution completed"]
                {
                    log(&context.peer, message).await?;
                    pause().await;
                }
                vec![text("logged")]
            }
            "test_tool_with_progress" => {
                progress(&context).await?;
                vec![text("done")]
            }
            "test_error_handling" => {
                let content = [text("This tool intentionally returns an error for testing")];
                let error: CallToolResult = of(json!({"content": content, "isError": true}));
                return Ok(error.into());
            }
            "test_reconnection" => {
                pause().await;
                vec![text("reconnected")]
            }
            "test_sampling" => {
                let params = json!({"maxTokens": 100, "messages": [
                    {"role": "user", "content": text(argument("prompt"))}]});
                let request = json!({"method": "sampling/createMessage", "params": params});
                vec![text(&format!("LLM response: {}", ask(&context.peer, request).await?))]
            }
            "test_elicitation" => {
                let user = json!({"type": "string", "description": "User's response"});
                let email = json!({"type": "string", "description": "User's email address"});
                let schema = json!({"type": "object", "required": ["username", "email"],
                    "properties": {"username": user, "email": email}});
                let answer = elicit(&context.peer, argument("message"), schema).await?;
                vec![text(&format!("User response: {answer}"))]
            }
            "test_elicitation_sep1034_defaults" => {
                let answer = elicit(&context.peer, "Defaults", defaults()).await?;
                vec![text(&format!("Elicitation completed: {answer}"))]
            }
            "test_elicitation_sep1330_enums" => {
                let answer = elicit(&context.peer, "Enums", enums()).await?;
                vec![text(&format!("Elicitation completed: {answer}"))]
            }
            name => return Err(McpError::invalid_params(format!("no tool {name}"), None)),
        };
        let result: CallToolResult = of(json!({"content": content}));
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, McpError> {
        Ok(of(json!({"resources": [
            {"uri": "test://static-text", "name": "text", "mimeType": "text/plain"},
            {"uri": "test://static-binary", "name": "binary", "mimeType": "image/png"},
            {"uri": "test://watched-resource", "name": "watched", "mimeType": "text/plain"}]})))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, McpError> {
        let template = json!({"uriTemplate": "test://template/{id}/data", "name": "template"});
        Ok(of(json!({"resourceTemplates": [template]})))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, McpError> {
        let uri = request.uri.as_str();
        let contents = match uri {
            "test://static-text" | "test://watched-resource" => json!({"uri": uri,
                "mimeType": "text/plain", "text": "This is the content of the static text resource."}),
            "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
            _ => {
                let id =
                    uri.strip_prefix("test://template/").and_then(|it| it.strip_suffix("/data"));
                let Some(id) = id else {
                    return Err(McpError::resource_not_found(format!("no resource {uri}"), None));
                };
                let data =
                    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()})
            }
        };
        let result: ReadResourceResult = of(json!({"contents": [contents]}));
        Ok(result.into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), McpError> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), McpError> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, McpError> {
        let argument = |name: &str| json!({"name": name, "required": true});
        Ok(of(json!({"prompts": [
            {"name": "test_simple_prompt", "description": "Simple"},
            {"name": "test_prompt_with_arguments", "description": "With arguments",
                "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_embedded_resource", "description": "With a resource",
                "arguments": [argument("resourceUri")]},
            {"name": "test_prompt_with_image", "description": "With an image"}]})))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, McpError> {
        let argument = |name: &str| {
            let arguments = request.arguments.as_ref();
            arguments.and_then(|it| it.get(name)).and_then(Value::as_str).unwrap_or_default()
        };
        let text =
            |text: String| json!({"role": "user", "content": {"type": "text", "text": text}});
        let messages = match request.name.as_str() {
            "test_simple_prompt" => vec![text("This is a simple prompt for testing.".to_owned())],
            "test_prompt_with_arguments" => {
                let (first, second) = (argument("arg1"), argument("arg2"));
                vec![text(format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
            }
            "test_prompt_with_embedded_resource" => vec![
                json!({"role": "user", "content": {"type": "resource", "resource": {
                    "uri": argument("resourceUri"), "mimeType": "text/plain",
                    "text": "Embedded resource content for testing."}}}),
                text("Please process the embedded resource above.".to_owned()),
            ],
            "test_prompt_with_image" => vec![
                json!({"role": "user",
                    "content": {"type": "image", "data": PNG, "mimeType": "image/png"}}),
                text("Please analyze the image above.".to_owned()),
            ],
            name => return Err(McpError::invalid_params(format!("no prompt {name}"), None)),
        };
        let result: GetPromptResult = of(json!({"messages": messages}));
        Ok(result.into())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, McpError> {
        Ok(of(json!({"completion": {"values": ["paris", "park"], "hasMore": false}})))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), McpError> {
        Ok(())
    }
}

async fn log(peer: &Peer<RoleServer>, message: &str) -> Result<(), McpError> {
    let params: LoggingMessageNotificationParam =
        of(json!({"level": "info", "logger": "fixture", "data": message}));
    let notification: ServerNotification = LoggingMessageNotification::new(params).into();
    peer.send_notification(notification).await.map_err(failed)
}

async fn progress(context: &RequestContext<RoleServer>) -> Result<(), McpError> {
    let token = context.meta.get_progress_token();
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = token.clone() {
            let params = ProgressNotificationParam::new(token, done).with_total(100.0);
            context.peer.notify_progress(params).await.map_err(failed)?;
        }
        pause().await;
    }
    Ok(())
}

async fn elicit(peer: &Peer<RoleServer>, message: &str, schema: Value) -> Result<String, McpError> {
    let params = json!({"mode": "form", "message": message, "requestedSchema": schema});
    ask(peer, json!({"method": "elicitation/create", "params": params})).await
}

async fn ask(peer: &Peer<RoleServer>, request: Value) -> Result<String, McpError> {
    let answer = peer.send_request(of(request)).await.map_err(failed)?;
    Ok(serde_json::to_string(&answer).unwrap_or_default())
}

fn failed(error: impl std::fmt::Display) -> McpError {
    McpError::internal_error(error.to_string(), None)
}

fn defaults() -> Value {
    json!({"type": "object", "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true}}})
}

fn enums() -> Value {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = |names: [&str; 3]| {
        let values = ["value1", "value2", "value3"];
        let pairs = values.iter().zip(names);
        json!(pairs.map(|(value, name)| json!({"const": value, "title": name})).collect::<Vec<_>>())
    };
    json!({"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string",
            "oneOf": titled(["First Option", "Second Option", "Third Option"])},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {
            "anyOf": titled(["First Choice", "Second Choice", "Third Choice"])}}}})
}
