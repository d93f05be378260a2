"""A server of the tests' own: it gives files with and without ranges, and misbehaves where it is told to."""
import http.server
import os
import re
import ssl
import threading
import time

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".mp4": "video/mp4", ".mkv": "video/x-matroska", ".html": "text/html"}


class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        try:
            self.server.answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def note(self, code):
        self.server.log.append((time.time(), self.path, self.headers.get("Range"), code))

    def give(self, data, kind=None, ranges=True, half=False):
        """Sends bytes, or the part of them that is asked for; with `half` the first half of that, and then the connection breaks."""
        begin, end, code = 0, len(data), 200
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if ranges and asked:
            begin, code = int(asked[1]), 206
            end = min(end, int(asked[2]) + 1) if asked[2] else end
            if begin >= end:
                return self.refuse(416)
        self.note(code)
        self.send_response(code)
        self.send_header("Content-Type", kind or TYPES.get(os.path.splitext(self.path)[1], "application/octet-stream"))
        self.send_header("Content-Length", str(end - begin))
        if ranges:
            self.send_header("Accept-Ranges", "bytes")
        if code == 206:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
        self.end_headers()
        self.wfile.write(data[begin:begin + (end - begin) // 2] if half else data[begin:end])
        self.close_connection = self.close_connection or half

    def refuse(self, code):
        self.note(code)
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def redirect(self, target):
        self.note(302)
        self.send_response(302)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def wait(self, seconds):
        """Gives no answer for a while."""
        self.server.ends.wait(seconds)


class Server(http.server.ThreadingHTTPServer):
    """Calls `answer` with each request, in a thread of its own."""
    daemon_threads = True

    def __init__(self, answer, certificate=None):
        """With a certificate, which is a file with its key, by https."""
        super().__init__(("127.0.0.1", 0), Request)
        self.answer = answer
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.log = []
        self.ends = threading.Event()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        pass

    def url(self, path):
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}/{path}"


def playlist(parts, is_whole=True):
    """An HLS playlist of parts of one second."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:0"]
    for part in parts:
        lines += ["#EXTINF:1.0,", part]
    return ("\n".join(lines + ["#EXT-X-ENDLIST"] * is_whole) + "\n").encode()
