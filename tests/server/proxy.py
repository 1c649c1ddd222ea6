"""TCP proxy between browser and server that can be slow, stalled or cut."""

import contextlib
import socket
import threading
import time


class Proxy:
    """Forwards bytes, with a `delay`, held while `stalled`; `cut` ends every connection."""

    def __init__(self, port):
        self._to = port
        self.delay = 0.0
        self.flowing = threading.Event()
        self.flowing.set()
        self._open = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _accept(self):
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                client.close()
                continue
            for one, other in ((client, server), (server, client)):
                self._open.add(one)
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one, other):
        try:
            while data := one.recv(65536):
                self.flowing.wait()
                if self.delay:
                    time.sleep(self.delay)
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            self._open.discard(each)
            _end(each)
            each.close()

    def cut(self):
        """Cut every connection."""
        for each in list(self._open):
            _end(each)

    def close(self):
        self._listening.close()
        self.flowing.set()
        self.cut()


def _end(each):
    """Shut down both sides; closing alone would wait for a thread that reads from the socket."""
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
