// An agent on the official library of TypeScript that delegates over Agent2Agent: it calls all eleven operations, by
// the binding that it is given. Prints what it saw as JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const task = JSON.parse(process.argv[2]);
const require = createRequire(task.packages + "/");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Role, TaskState } = await load("@a2a-js/sdk");
const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = await load("@a2a-js/sdk/client");

const fetchImpl = (url, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${task.token}`);
  return fetch(url, { ...init, headers });
};
const Transport = task.binding === "JSONRPC" ? JsonRpcTransportFactory : RestTransportFactory;
const factory = new ClientFactory({ transports: [new Transport({ fetchImpl })] });
const card = await (await fetchImpl(`${task.url}/.well-known/agent-card.json`)).json();
const client = await factory.createFromUrl(task.url);
const seen = { called: [], agent: card.name };
const name = (state) => (typeof state === "string" ? state : TaskState[state]);

const message = (text, number) => ({
  tenant: "",
  configuration: undefined,
  metadata: undefined,
  message: {
    messageId: `${task.binding}-js-${number}`,
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
});

async function last(stream) {
  let id, state;
  for await (const event of stream) {
    const payload = event.payload ?? event;
    const value = payload.value ?? payload;
    id = value.taskId ?? value.id ?? id;
    state = value.status?.state ?? state;
  }
  return [id, name(state)];
}

const sent = await client.sendMessage(message("search three", 1));
seen.sent = name(sent.status.state);
seen.called.push("SendMessage");
const [question, streamed] = await last(client.sendMessageStream(message("finish", 2)));
seen.streamed = streamed;
seen.called.push("SendStreamingMessage");
const got = await client.getTask({ tenant: "", id: sent.id, historyLength: undefined });
if (got.id === sent.id) seen.called.push("GetTask");
const listed = await client.listTasks({
  tenant: "", contextId: "", status: 0, pageSize: undefined, pageToken: "", historyLength: undefined,
  statusTimestampAfter: undefined, includeArtifacts: undefined,
});
if (listed.tasks.some((it) => it.id === question)) seen.called.push("ListTasks");
const hook = { tenant: "", taskId: question, id: "hook" };
await client.createTaskPushNotificationConfig({
  ...hook, url: "http://example.com/hook", token: "", authentication: undefined,
});
seen.called.push("CreateTaskPushNotificationConfig");
await client.getTaskPushNotificationConfig(hook);
seen.called.push("GetTaskPushNotificationConfig");
const hooks = await client.listTaskPushNotificationConfig({
  tenant: "", taskId: question, pageSize: 0, pageToken: "",
});
if (hooks.configs.length === 1) seen.called.push("ListTaskPushNotificationConfigs");
await client.deleteTaskPushNotificationConfig(hook);
seen.called.push("DeleteTaskPushNotificationConfig");
const follower = last(client.resubscribeTask({ tenant: "", id: question }));
await new Promise((done) => setTimeout(done, 300));
const canceled = await client.cancelTask({ tenant: "", id: question, metadata: undefined });
seen.canceled = name(canceled.status.state);
seen.called.push("CancelTask");
seen.subscribed = (await follower)[1];
seen.called.push("SubscribeToTask");
// With the token the library asks for the extended card.
const extended = await client.getAgentCard();
if (extended.skills.length > 0) seen.called.push("GetExtendedAgentCard");
console.log(JSON.stringify(seen));
