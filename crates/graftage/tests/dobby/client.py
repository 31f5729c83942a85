"""A client of the daemon that knows its methods from `rpc.discover` alone.

    client.py SOCKET PROJECT SLOW_PROJECT MODEL ENCODER

It prints `ok` and a line for each group of checks, or fails at the first that does not hold. With MODEL `-` no
language model is tried.
"""
import json
import socket
import sys
import time

path, project, slow, model, encoder = sys.argv[1:6]
REQUIRED = ["ping", "get_status", "ensure_model", "open_worker", "close_worker", "completion", "embed", "run_task",
            "verify_default"]


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.next = 0
        self.progress = []

    def send(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def start(self, method, params=None):
        self.next += 1
        message = {"jsonrpc": "2.0", "id": self.next, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.next

    def read(self):
        line = self.lines.readline()
        assert line, "the connection ended"
        return json.loads(line)

    def answer(self, number):
        while True:
            message = self.read()
            if message.get("method") == "$/progress":
                self.progress.append(message["params"])
                continue
            assert message["id"] == number, (number, message)
            assert message["jsonrpc"] == "2.0"
            return message

    def call(self, method, params=None):
        return self.answer(self.start(method, params))

    def good(self, method, params=None):
        answer = self.call(method, params)
        assert "result" in answer, (method, answer)
        check(answer["result"], METHODS[method]["result"]["schema"], METHODS[method]["result"]["schema"], method)
        return answer["result"]

    def bad(self, code, method, params=None):
        answer = self.call(method, params)
        assert answer.get("error", {}).get("code") == code, (method, params, answer)
        assert answer["error"]["message"], answer
        return answer["error"]["message"]

    def cancel(self, number):
        self.send({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": number}})


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_of(value, kind):
    if kind in ("number", "integer"):
        return isinstance(value, (int, float) if kind == "number" else int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def check(value, schema, root, where):
    """The part of JSON Schema that the document uses."""
    if schema is True or schema == {}:
        return
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return check(value, root["$defs"][name], root, where)
    if "anyOf" in schema:
        for one in schema["anyOf"]:
            try:
                return check(value, one, root, where)
            except AssertionError:
                pass
        raise AssertionError((where, value, schema))
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    assert not kinds or any(is_of(value, kind) for kind in kinds), (where, value, schema)
    if "enum" in schema:
        assert value in schema["enum"], (where, value)
    if isinstance(value, dict):
        for name in schema.get("required", []):
            assert name in value, (where, name)
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                check(value[name], inner, root, where + "." + name)
        assert set(value) <= set(schema.get("properties", value)), (where, value)
    if isinstance(value, list) and "items" in schema:
        for one in value:
            check(one, schema["items"], root, where + "[]")


def done(name):
    print("ok", name, flush=True)


client = Client()
document = client.call("rpc.discover")["result"]
assert document["openrpc"].startswith("1."), document
METHODS = {it["name"]: it for it in document["methods"]}
assert all(name in METHODS for name in REQUIRED), sorted(METHODS)
done("discover")

# Each method with parameters that are wrong in each way which its schema names.
EXAMPLE = {"string": "x", "integer": 1, "number": 0.0, "boolean": True, "array": [], "object": {}, "null": None}


def example(schema):
    if "$ref" in schema:
        return example(schema["$defs"][schema["$ref"].rsplit("/", 1)[1]] | {"$defs": schema["$defs"]})
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return schema["oneOf"][0]["const"]
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "object":
        required = schema.get("required", [])
        of = {name: schema["properties"][name] | {"$defs": schema.get("$defs", {})} for name in required}
        return {name: example(inner) for name, inner in of.items()}
    return EXAMPLE[kind]


for name, method in METHODS.items():
    if name in ("rpc.discover", "dobby.shutdown", "dobby.unload"):
        continue
    right = {it["name"]: example(it["schema"]) for it in method["params"] if it["required"]}
    client.bad(-32602, name, right | {"no_such_parameter": 1})
    for param in method["params"]:
        client.bad(-32602, name, right | {param["name"]: [[1]]})
        if param["required"]:
            client.bad(-32602, name, {key: value for key, value in right.items() if key != param["name"]})
    client.bad(-32602, name, [1, 2])
client.bad(-32601, "no_such_method")
client.bad(-32601, "toString", {})
done("wrong")

assert client.good("ping") == {"ok": True}
status = client.good("get_status")
assert status["version"] and status["workers"] == [] and status["queue_depths"] == {"llm": 0, "cpu": 0}, status
assert status["mem_free_mb"] is None or status["mem_free_mb"] > 0
client.send([{"jsonrpc": "2.0", "id": "a", "method": "ping"}, {"jsonrpc": "2.0", "method": "ping"}, 7,
             {"jsonrpc": "2.0", "id": "b", "method": "get_status", "params": {}}])
batch = client.read()
assert sorted(str(it["id"]) for it in batch) == ["None", "a", "b"], batch
client.socket.sendall(b"{no json\n")
assert client.read()["error"]["code"] == -32700
done("ping, status, batches")

vectors = client.good("embed", {"texts": ["read a file", "read the file", "paint a wall"], "encoder": encoder})
vectors = vectors["vectors"]
assert len(vectors) == 3 and len({len(it) for it in vectors}) == 1
cosine = lambda a, b: sum(x * y for x, y in zip(a, b))
assert abs(cosine(vectors[0], vectors[0]) - 1) < 1e-3
assert cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2])
assert client.good("embed", {"texts": [], "encoder": encoder}) == {"vectors": []}
client.bad(-32602, "embed", {"texts": ["a"], "encoder": "no-such-encoder"})
client.bad(-32602, "embed", {"texts": ["a"] * 5000, "encoder": encoder})
done("embed")

# Five light workers, then a bounded queue.
other = Client()
workers = [client.good("open_worker", {"kind": "cpu"})["worker_id"] for _ in range(5)]
assert len(set(workers)) == 5
assert [it["kind"] for it in client.good("get_status")["workers"]] == ["cpu"] * 5
waiting = [other.start("open_worker", {"kind": "cpu"}) for _ in range(16)]
while client.good("get_status")["queue_depths"]["cpu"] < 16:
    time.sleep(0.01)
assert "16 requests wait" in client.bad(-32001, "open_worker", {"kind": "cpu"})
client.bad(-32003, "close_worker", {"worker_id": "w-none"})
assert "worker" in other.answer(other.start("close_worker", {"worker_id": workers[0]})).get("error", {}).get("message", "")
other.cancel(waiting[0])
assert other.answer(waiting[0])["error"]["code"] == -32011
assert client.good("close_worker", {"worker_id": workers[0]}) == {"ok": True}
answer = other.read()
assert answer["id"] in waiting and "result" in answer, answer
# Workers and waiting requests end with their connection.
other.socket.close()
other.lines.close()
while client.good("get_status")["queue_depths"]["cpu"] > 0:
    time.sleep(0.01)
for worker in workers[1:]:
    client.good("close_worker", {"worker_id": worker})
assert client.good("get_status")["workers"] == []
client.bad(-32602, "open_worker", {"kind": "cpu", "model": "x"})
client.bad(-32602, "open_worker", {"kind": "llm"})
client.bad(-32004, "open_worker", {"kind": "llm", "model": "no-such-model"})
client.bad(-32003, "completion", {"worker_id": "w-none", "prompt": "a", "max_tokens": 1})
client.bad(-32004, "ensure_model", {"name": "no-such-model"})
client.bad(-32602, "ensure_model", {"name": "x", "url": "file:///x"})
client.bad(-32004, "verify_default", {"model": "no-such-model"})
done("workers")

result = client.good("run_task", {"agent": "A1", "payload": {"root": project}})["result"]
assert result["outcome"] == "failed" and "HashMap" in result["reason"], result
result = client.good("run_task", {"agent": "R1", "payload": {"root": project}})["result"]
assert result["outcome"] == "proven" and "+use std::collections::HashMap;" in result["patch"], result
result = client.good("run_task", {"agent": "A3", "payload": {"root": project, "text": "empty map"}})["result"]
assert result["outcome"] == "done" and "empty" in json.dumps(result["evidence"]), result
result = client.good("run_task", {"agent": "A2", "payload": {"root": project, "text": "empty"}})["result"]
assert result["outcome"] == "done", result
client.bad(-32602, "run_task", {"agent": "A2", "payload": {"root": project}})
client.bad(-32602, "run_task", {"agent": "A1", "payload": {"root": "no/absolute/path"}})
client.bad(-32602, "run_task", {"agent": "A9", "payload": {"root": project}})
number = client.start("run_task", {"agent": "A1", "payload": {"root": slow}})
time.sleep(1)
client.cancel(number)
assert client.answer(number)["error"]["code"] == -32011
result = client.good("run_task", {"agent": "A1", "payload": {"root": slow, "seconds": 1}})["result"]
assert result["outcome"] == "stopped", result
done("tasks")

if model != "-":
    worker = client.good("open_worker", {"kind": "llm", "model": model})["worker_id"]
    assert any(it["stage"].startswith("starting") for it in client.progress), client.progress
    row = client.good("get_status")
    assert row["workers"][0]["model"] == model and row["workers"][0]["socket"], row
    assert [it["state"] for it in row["models"] if it["name"] == model] == ["loaded"], row
    ask = {"worker_id": worker, "prompt": "say the word", "max_tokens": 16, "stop": ["letters"], "temperature": 0}
    answer = client.good("completion", ask)
    assert answer["text"] == "words of 12" and answer["usage"]["output_tokens"] == 3, answer
    assert client.good("completion", ask) == answer
    # Another one waits for it.
    other = Client()
    other.next = 100
    number = other.start("open_worker", {"kind": "llm", "model": model})
    while client.good("get_status")["queue_depths"]["llm"] == 0:
        time.sleep(0.01)
    assert "error" in other.answer(other.start("completion", ask | {"worker_id": worker})), "of another connection"
    waiting = client.start("completion", ask | {"prompt": "wait"})
    time.sleep(0.3)
    client.cancel(waiting)
    assert client.answer(waiting)["error"]["code"] == -32011
    # A server that ends is started again.
    assert client.good("completion", ask | {"prompt": "die once", "stop": []})["text"].endswith("die once")
    client.bad(-32602, "completion", ask | {"max_tokens": 0})
    client.bad(-32602, "completion", ask | {"temperature": 9})
    client.bad(-32001, "dobby.unload")
    client.good("close_worker", {"worker_id": worker})
    assert "result" in other.answer(number)
    other.socket.close()
    other.lines.close()
    while client.good("get_status")["workers"]:
        time.sleep(0.01)
    lines = client.good("verify_default", {"model": model, "lines": 3})["lines"]
    assert len(lines) == 3 and all(lines), lines
    assert len(client.good("verify_default", {"model": model})["lines"]) == 20
    # Idle for a second, it is unloaded.
    until = time.time() + 20
    while any(it["state"] == "loaded" for it in client.good("get_status")["models"]):
        assert time.time() < until, "it stays loaded"
        time.sleep(0.1)
    client.good("dobby.unload")
    done("language model")

# What runs may end, what is new is refused.
other = Client()
number = other.start("run_task", {"agent": "A1", "payload": {"root": slow, "seconds": 3}})
time.sleep(0.5)
client.good("dobby.shutdown", {"timeout": 60})
while True:
    answer = client.call("run_task", {"agent": "A1", "payload": {"root": project}})
    if answer.get("error", {}).get("code") == -32002:
        break
    assert "result" in answer, answer
assert client.good("ping") == {"ok": True}
assert other.answer(number)["result"]["result"]["outcome"] == "stopped"
assert client.lines.readline() == b"", "it ends the connection"
done("draining")
