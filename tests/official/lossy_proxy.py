"""A proxy in front of an agent that loses answers: the request was carried out, and its client never hears of it."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

LONGEST_SECONDS = 60
# What a proxy says anew.
_OWN_HEADERS = {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding"}


class Passed(NamedTuple):
    """A request that was carried out."""

    method: str
    path: str
    status: int


class Loss:
    """The answer to the next request that fits gets lost."""

    def __init__(self, method: str, path: str) -> None:
        self.carried_out = Event()
        self.may_end = Event()
        self.method = method
        self.path = path

    def fits(self, method: str, path: str) -> bool:
        return method == self.method and re.fullmatch(self.path, path) is not None


class LossyProxy:
    """Passes requests on to the agent at an address, and answers back, unless it was told to lose them."""

    def __init__(self, agent_url: str) -> None:
        self.passed: list[Passed] = []
        self._agent = urlsplit(agent_url)
        self._losses: list[Loss] = []
        self._lock = Lock()
        self._is_down = False
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                # A client that was killed leaves its connection.
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, format: str, *arguments: object) -> None:
                pass

            def _pass_on(self) -> None:
                proxy._serve(self)

            do_DELETE = do_GET = do_PATCH = do_POST = do_PUT = _pass_on

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def lose(self, method: str, path: str) -> Loss:
        """Closes the connection without an answer once the next such request was carried out."""
        loss = self.hold(method, path)
        loss.may_end.set()
        return loss

    def hold(self, method: str, path: str) -> Loss:
        """The same, but the connection stays open until the loss may end."""
        loss = Loss(method, path)
        self._losses.append(loss)
        return loss

    @contextmanager
    def down(self) -> Iterator[None]:
        """Whatever comes meanwhile is neither carried out nor answered."""
        self._is_down = True
        try:
            yield
        finally:
            self._is_down = False

    def unmet(self) -> list[str]:
        """The losses that no request has met."""
        return [f"{each.method} {each.path}" for each in self._losses]

    def count(self, method: str, path: str) -> int:
        """How many such requests the agent has taken."""
        taken = [each for each in self.passed if each.status < 300 and each.method == method]
        return sum(1 for each in taken if re.fullmatch(path, each.path))

    def close(self) -> None:
        for loss in self._losses:
            loss.may_end.set()
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        method, path = handler.command, handler.path
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        if self._is_down:
            return _hang_up(handler)
        with self._lock:
            loss = next((each for each in self._losses if each.fits(method, path)), None)
            if loss is not None:
                self._losses.remove(loss)
        connection = HTTPConnection(self._agent.hostname or "", self._agent.port, timeout=LONGEST_SECONDS)
        try:
            headers = {name: value for name, value in handler.headers.items() if name.lower() not in _OWN_HEADERS}
            connection.request(method, self._agent.path + path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        self.passed.append(Passed(method, path, answer.status))
        if loss is None:
            return _answer(handler, answer, content)
        loss.carried_out.set()
        loss.may_end.wait(LONGEST_SECONDS)
        _hang_up(handler)


def _answer(handler: BaseHTTPRequestHandler, answer: HTTPResponse, content: bytes) -> None:
    handler.send_response(answer.status)
    for name, value in answer.getheaders():
        if name.lower() not in _OWN_HEADERS:
            handler.send_header(name, value)
    if answer.status != 204:
        handler.send_header("content-length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def _hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    try:
        handler.connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # The client was first.
