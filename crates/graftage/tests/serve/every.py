"""Lists and calls everything that a server offers, with the client of the package `mcp`.

Arguments: a JSON object with `mode`, `calls` (name, arguments), `prompts`, and `command` or `url` and `token`.
Prints a JSON object: what was listed, and each failure.
"""

import asyncio
import json
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

task = json.loads(sys.argv[1])
report = {"tools": [], "called": [], "resources": [], "templates": [], "prompts": [], "failed": []}
staged = ""


def server():
    if "command" in task:
        command, *args = task["command"]
        return StdioServerParameters(command=command, args=args, cwd=task["folder"], env=task["env"])
    headers = {"Authorization": "Bearer " + task["token"]}
    client = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(300, read=300))
    return streamable_http_client(task["url"], http_client=client)


async def attempt(what, call):
    try:
        return await call()
    except Exception as error:
        report["failed"].append(f"{what}: {error!r}")


def filled(value):
    if value == "$STAGED":
        return staged
    if isinstance(value, list):
        return [filled(it) for it in value]
    if isinstance(value, dict):
        return {key: filled(it) for key, it in value.items()}
    return value


async def main():
    global staged
    async with Client(server(), mode=task["mode"], read_timeout_seconds=300) as client:
        report["version"] = client.protocol_version
        report["tools"] = [it.name for it in (await client.list_tools()).tools]
        for call in task["calls"]:
            name, arguments = call["name"], filled(call["arguments"])
            # The client checks the answer against the schema of the output.
            result = await attempt(name, lambda: client.call_tool(name, arguments))
            if result is None:
                continue
            report["called"].append(name)
            if result.is_error:
                report["failed"].append(f"{name}: {result.content[0].text}")
                continue
            answer = result.structured_content
            staged = answer.get("proposal_id") or staged
        for resource in (await client.list_resources()).resources:
            report["resources"].append(str(resource.uri))
            await attempt(resource.uri, lambda: client.read_resource(str(resource.uri)))
        report["templates"] = [it.uri_template for it in (await client.list_resource_templates()).resource_templates]
        for uri in task["uris"]:
            await attempt(uri, lambda: client.read_resource(filled_uri(uri)))
        for prompt in (await client.list_prompts()).prompts:
            report["prompts"].append(prompt.name)
            await attempt(prompt.name, lambda: client.get_prompt(prompt.name, {}))


def filled_uri(uri):
    return uri.replace("$STAGED", staged)


asyncio.run(main())
print(json.dumps(report))
