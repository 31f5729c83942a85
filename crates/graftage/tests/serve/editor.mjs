// An editor on the official library of TypeScript: a question, changes with each answer, an unsaved text, a
// cancelled prompt, and a session that loads again. Prints what it saw as JSON.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Readable, Writable } from "node:stream";

const task = JSON.parse(process.argv[2]);
const require = createRequire(task.packages + "/");
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href);

const seen = { updates: [], questions: [], stops: {}, text: "" };
const editor = { unsaved: new Map(), choice: "reject_once", onQuestion: null };

async function connected(op) {
  const child = spawn(task.command[0], task.command.slice(1), {
    cwd: task.root, env: task.env, stdio: ["pipe", "pipe", "inherit"],
  });
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const methods = acp.methods;
  const app = acp.client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      const update = params.update;
      seen.updates.push(update.sessionUpdate);
      if (update.sessionUpdate === "agent_message_chunk") seen.text += update.content.text;
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      seen.questions.push(params.toolCall.content?.map((it) => it.type) ?? []);
      if (editor.onQuestion) await editor.onQuestion(params);
      if (editor.choice === null) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId: editor.choice } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({
      content: editor.unsaved.get(params.path) ?? readFileSync(params.path, "utf8"),
    }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      writeFileSync(params.path, params.content);
      editor.unsaved.delete(params.path);
      return {};
    });
  const done = await app.connectWith(stream, async (agent) => {
    const initialized = await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    seen.agent = initialized.agentInfo.name;
    return await op(agent, methods.agent);
  });
  child.stdin.end();
  seen.status = await new Promise((ended) => (child.exitCode === null ? child.on("exit", ended) : ended(child.exitCode)));
  return done;
}

const file = task.root + "/src/lib.rs";
const saved = readFileSync(file, "utf8");
const id = await connected(async (agent, methods) => {
  const { sessionId } = await agent.request(methods.session.new, { cwd: task.root, mcpServers: [] });
  const prompt = async (name, text) => {
    const answer = await agent.request(methods.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    seen.stops[name] = answer.stopReason;
  };
  await prompt("question", "where is three?");
  await prompt("refused", "/finish");
  seen.untouched = readFileSync(file, "utf8") === saved;
  editor.choice = null;
  editor.onQuestion = () => agent.notify(methods.session.cancel, { sessionId });
  await prompt("cancelled", "/finish");
  seen.untouchedByCancel = readFileSync(file, "utf8") === saved;
  editor.onQuestion = null;
  editor.choice = "allow_once";
  editor.unsaved.set(file, saved + "// typed\n");
  await prompt("unsaved", "/finish");
  seen.written = readFileSync(file, "utf8");
  return sessionId;
});
seen.updates = [];
await connected(async (agent, methods) => {
  const { sessions } = await agent.request(methods.session.list, { cwd: task.root });
  seen.listed = sessions.map((it) => it.sessionId).includes(id);
  await agent.request(methods.session.load, { sessionId: id, cwd: task.root, mcpServers: [] });
  seen.replayed = seen.updates.length;
});
console.log(JSON.stringify(seen));
