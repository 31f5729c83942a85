"""Carries lines between graftage and Ray: requests on standard input go to `graftage worker --stdio` in actors,
whose answers go to standard output as they come. Of a line only method and id are read."""

import json
import os
import queue
import subprocess
import sys
import threading

# Ray and its children print on descriptor 1.
OUT = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)

import ray  # noqa: E402
from ray.exceptions import (  # noqa: E402
    GetTimeoutError,
    RayActorError,
    RayError,
    RayTaskError,
    WorkerCrashedError,
)

LOST = -32010
OUT_LOCK = threading.Lock()
SEATS = queue.Queue()
# The actor of each request that runs, by its id as JSON.
RUNNING = {}
RUNNING_LOCK = threading.Lock()


def send(line):
    with OUT_LOCK:
        OUT.write(line.strip().encode() + b"\n")


def answer(ident, field, value):
    send(json.dumps({"jsonrpc": "2.0", "id": ident, field: value}))


class Worker:
    """A seat of the cluster: one `graftage worker --stdio`, which ends with its input."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "worker", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def ready(self):
        return self.process.poll() is None

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def run(self, line, ident):
        self.write(line)
        while True:
            answer = self.process.stdout.readline()
            if not answer:
                raise RuntimeError("the worker ended")
            yield answer
            message = json.loads(answer)
            if "method" not in message and message.get("id") == ident:
                return


def seat(program):
    options = {"num_cpus": 1, "max_concurrency": 2, "max_restarts": 0, "scheduling_strategy": "SPREAD"}
    return ray.remote(Worker).options(**options).remote(program)


def start(params):
    common = {"log_to_driver": False, "logging_level": "ERROR", "namespace": "graftage"}
    if params.get("address"):
        ray.init(address=params["address"], **common)
    else:
        seats = params.get("seats") or os.cpu_count() or 1
        ray.init(
            address="local",
            num_cpus=seats,
            include_dashboard=False,
            object_store_memory=80 * 1024 * 1024,
            _temp_dir=params["folder"],
            _node_ip_address="127.0.0.1",
            **common,
        )
    seats = params.get("seats") or int(ray.cluster_resources().get("CPU", 1))
    for _ in range(seats):
        SEATS.put(None)
    return {"seats": seats, "ray": ray.__version__}


def free_seat(program):
    """A seat that answers. One that cannot be made, for want of a node, is tried again after the others."""
    while True:
        actor = SEATS.get()
        if actor is not None:
            return actor
        actor = seat(program)
        try:
            ray.get(actor.ready.remote(), timeout=30)
            return actor
        except (GetTimeoutError, RayActorError):
            drop(actor)
            SEATS.put(None)


def drop(actor):
    try:
        ray.kill(actor)
    except RayError:
        pass


def run(line, ident, program):
    """Runs a request on a free seat. A seat that is lost is made anew; a cluster that is lost ends this program."""
    key = json.dumps(ident)
    try:
        actor = free_seat(program)
        with RUNNING_LOCK:
            RUNNING[key] = actor
        try:
            for piece in actor.run.options(num_returns="streaming").remote(line, ident):
                send(ray.get(piece))
        except (RayActorError, RayTaskError, WorkerCrashedError) as error:
            text = str(error).strip().splitlines() or [type(error).__name__]
            drop(actor)
            actor = None
            answer(ident, "error", {"code": LOST, "message": "Ray: " + text[-1]})
        with RUNNING_LOCK:
            RUNNING.pop(key, None)
        SEATS.put(actor)
    except BaseException as error:  # noqa: BLE001
        print("the cluster is lost:", error, file=sys.stderr, flush=True)
        os._exit(3)


def main():
    program = None
    for line in sys.stdin:
        message = json.loads(line)
        method, ident = message.get("method"), message.get("id")
        if method == "start":
            program = message["params"]["program"]
            try:
                answer(ident, "result", start(message["params"]))
            except Exception as error:  # noqa: BLE001
                text = str(error).strip().splitlines() or [type(error).__name__]
                answer(ident, "error", {"code": -32603, "message": text[0]})
        elif method == "run_task":
            threading.Thread(target=run, args=(line.strip(), ident, program), daemon=True).start()
        elif method == "$/cancel_request":
            with RUNNING_LOCK:
                actor = RUNNING.get(json.dumps(message["params"].get("requestId")))
            if actor is not None:
                actor.write.remote(line.strip())
    ray.shutdown()
    os._exit(0)


main()
