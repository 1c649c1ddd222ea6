"""TCP proxy to PostgreSQL that cuts the connection at a chosen moment."""

import contextlib
import socket
import threading


class CutLine:
    """Forward everything until `words` are sent after `first`, then cut the connection once.

    The cut comes `before` the words are forwarded, or after the server has answered, so that only
    the response is lost.
    """

    def __init__(self, port):
        self._port = port
        self._first = self._words = b""
        self._is_before = False
        self.cuts = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, words=b"COMMIT", before=False, first=b""):
        self._is_before = before
        self._first = first
        self._words = words

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                is_cut = threading.Event()
                for source, target, is_asking in ((client, server, True), (server, client, False)):
                    threading.Thread(
                        target=self._pass, args=(source, target, is_asking, is_cut), daemon=True
                    ).start()

    def _pass(self, source, target, is_asking, is_cut):
        has_begun = False
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                has_begun = has_begun or (bool(self._words) and self._first in data)
                if is_asking and has_begun and self._words and self._words in data:
                    self._words = b""
                    self.cuts += 1
                    is_cut.set()
                    if self._is_before:
                        break
                if is_asking or not is_cut.is_set():
                    target.sendall(data)
                elif is_cut.is_set():
                    break  # the server has answered, so the statement was executed
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def close(self):
        # Otherwise the thread would keep waiting in it.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
