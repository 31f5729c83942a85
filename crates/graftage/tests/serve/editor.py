"""An editor on the official library of Python, which reads every message by the models of the protocol: a
question, changes with each answer, an unsaved text, a cancelled prompt, and a session that loads again. Prints what
it saw as JSON."""
import asyncio
import json
import sys

import acp
from acp import schema

TASK = json.loads(sys.argv[1])
FILE = TASK["root"] + "/src/lib.rs"
SEEN = {"updates": [], "questions": [], "stops": {}, "text": ""}


def saved():
    with open(FILE, encoding="utf-8") as file:
        return file.read()


class Editor(acp.Client):
    def __init__(self):
        self.unsaved, self.choice, self.on_question = {}, "reject_once", None

    async def session_update(self, session_id, update, **kwargs):
        SEEN["updates"].append(update.session_update)
        if update.session_update == "agent_message_chunk":
            SEEN["text"] += update.content.text

    async def request_permission(self, session_id, tool_call, options, **kwargs):
        SEEN["questions"].append([it.type for it in tool_call.content or []])
        if self.on_question:
            await self.on_question(session_id)
        if self.choice is None:
            outcome = {"outcome": "cancelled"}
        else:
            outcome = {"outcome": "selected", "optionId": self.choice}
        return schema.RequestPermissionResponse.model_validate({"outcome": outcome})

    async def read_text_file(self, session_id, path, line=None, limit=None, **kwargs):
        text = self.unsaved.get(path)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return acp.ReadTextFileResponse(content=text)

    async def write_text_file(self, session_id, path, content, **kwargs):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        self.unsaved.pop(path, None)
        return acp.WriteTextFileResponse()

    def on_connect(self, conn):
        pass


async def connected(editor, op):
    command = TASK["command"]
    started = acp.spawn_agent_process(editor, command[0], *command[1:], env=TASK["env"], cwd=TASK["root"])
    async with started as (agent, process):
        files = schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
        capabilities = schema.ClientCapabilities(fs=files)
        answer = await agent.initialize(protocol_version=1, client_capabilities=capabilities)
        SEEN["agent"] = answer.agent_info.name
        return await op(agent)


async def main():
    editor = Editor()
    before = saved()

    async def first(agent):
        session = await agent.new_session(cwd=TASK["root"], mcp_servers=[])
        number = session.session_id

        async def prompt(name, text):
            answer = await agent.prompt(session_id=number, prompt=[acp.text_block(text)])
            SEEN["stops"][name] = answer.stop_reason

        await prompt("question", "where is three?")
        await prompt("refused", "/finish")
        SEEN["untouched"] = saved() == before
        editor.choice = None
        editor.on_question = lambda session_id: agent.cancel(session_id=session_id)
        await prompt("cancelled", "/finish")
        SEEN["untouchedByCancel"] = saved() == before
        editor.on_question, editor.choice = None, "allow_once"
        editor.unsaved[FILE] = before + "// typed\n"
        await prompt("unsaved", "/finish")
        SEEN["written"] = saved()
        return number

    number = await connected(editor, first)
    SEEN["updates"] = []

    async def second(agent):
        listed = await agent.list_sessions(cwd=TASK["root"])
        SEEN["listed"] = number in [it.session_id for it in listed.sessions]
        await agent.load_session(cwd=TASK["root"], session_id=number, mcp_servers=[])
        SEEN["replayed"] = len(SEEN["updates"])

    await connected(editor, second)
    print(json.dumps(SEEN))


asyncio.run(main())
