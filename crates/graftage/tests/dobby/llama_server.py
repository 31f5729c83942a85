#!/usr/bin/python3
"""A stand-in for llama-server: the same words for the same request, on a socket of the file system.

A prompt with `die` ends the process if it has answered before, one with `wait` never ends.
"""
import json
import os
import socketserver
import sys
import time
from http.server import BaseHTTPRequestHandler

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(arguments["-m"], "rb") as model:
    assert model.read(4) == b"GGUF", "no model"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "local"

    def do_GET(self):
        self.whole(200 if self.path == "/health" else 404, b"{}")

    def whole(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            return self.whole(404, b"{}")
        prompt = request["messages"][-1]["content"]
        prompt = prompt if isinstance(prompt, str) else prompt[-1]["text"]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        words = ["words", "of", str(len(prompt)), "letters:", prompt[-12:]]
        text = ""
        for word in words:
            if "die" in prompt and Server.answered:
                os._exit(1)
            while "wait" in prompt:
                self.event({"choices": [{"index": 0, "delta": {"content": "."}}]})
                time.sleep(0.05)
            piece = ("" if not text else " ") + word
            if any(stop in text + piece for stop in request.get("stop", [])):
                break
            text += piece
            self.event({"choices": [{"index": 0, "delta": {"content": piece}}]})
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        self.event({"choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
        Server.answered = True

    def event(self, value):
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingUnixStreamServer):
    answered = False
    daemon_threads = True

    def get_request(self):
        request, _ = super().get_request()
        return request, ("local", 0)


Server(arguments["--host"], Handler).serve_forever()
