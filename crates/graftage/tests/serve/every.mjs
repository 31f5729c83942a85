// As every.py, with the client of the package `@modelcontextprotocol/sdk`, of the handshake era.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const task = JSON.parse(process.argv[2]);
const require = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (path) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + path)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

const report = { tools: [], called: [], resources: [], templates: [], prompts: [], failed: [] };
let staged = "";
const filled = (value) => JSON.parse(JSON.stringify(value).replaceAll("$STAGED", staged));
const attempt = async (what, call) => {
  try {
    return await call();
  } catch (error) {
    report.failed.push(`${what}: ${error}`);
  }
};

let transport;
if (task.command) {
  const [command, ...args] = task.command;
  transport = new StdioClientTransport({ command, args, cwd: task.folder, env: task.env });
} else {
  const headers = { Authorization: "Bearer " + task.token };
  transport = new StreamableHTTPClientTransport(new URL(task.url), { requestInit: { headers } });
}
const client = new Client({ name: "every", version: "1" }, { capabilities: {} });
await client.connect(transport);
const patience = { timeout: 300000 };
report.tools = (await client.listTools()).tools.map((it) => it.name);
for (const { name, arguments: given } of task.calls) {
  const call = () => client.callTool({ name, arguments: filled(given) }, undefined, patience);
  const result = await attempt(name, call);
  if (!result) continue;
  report.called.push(name);
  if (result.isError) report.failed.push(`${name}: ${result.content[0].text}`);
  staged = result.structuredContent?.proposal_id ?? staged;
}
for (const { uri } of (await client.listResources()).resources) {
  report.resources.push(uri);
  await attempt(uri, () => client.readResource({ uri }));
}
report.templates = (await client.listResourceTemplates()).resourceTemplates.map((it) => it.uriTemplate);
for (const uri of task.uris) await attempt(uri, () => client.readResource({ uri: filled(uri) }));
for (const { name } of (await client.listPrompts()).prompts) {
  report.prompts.push(name);
  await attempt(name, () => client.getPrompt({ name, arguments: {} }));
}
await client.close();
console.log(JSON.stringify(report));
