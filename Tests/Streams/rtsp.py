"""An RTSP server with the H.264 video of a Matroska file: to everyone who comes it is sent from its beginning and in real time.

    rtsp.py FILE PORT      prints the port once it can be reached, and 'play' for each client that is sent the video; PORT may be 0 for any

As '/recorded' it has an end that the server names; as '/live' it has none, as that of a camera.
"""
import subprocess
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

FILE, PORT = sys.argv[1:]
PACKETS = "matroskademux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1"


class Live(GstRtspServer.RTSPMediaFactory):
    """Gets its video from a pipe that an ffmpeg command fills in real time."""

    def do_create_element(self, url):
        command = ["ffmpeg", "-nostdin", "-v", "error", "-re", "-i", FILE, "-c", "copy", "-f", "matroska", "-live", "1", "-flush_packets", "1", "-"]
        self.sender = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return Gst.parse_launch(f"( fdsrc fd={self.sender.stdout.fileno()} ! {PACKETS} )")


Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(PORT)
recorded = GstRtspServer.RTSPMediaFactory()
recorded.set_launch(f'( filesrc location="{FILE}" ! {PACKETS} )')
server.get_mount_points().add_factory("/recorded", recorded)
server.get_mount_points().add_factory("/live", Live())
server.connect("client-connected", lambda _, client: client.connect("play-request", lambda *_: print("play", flush=True)))
if not server.attach(None):
    sys.exit(f"The port {PORT} cannot be used.")
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
