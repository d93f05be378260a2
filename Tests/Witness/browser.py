"""Renders ShaderToy image passes with WebGL 2 in headless Chromium, the way the site draws them."""

import base64
import shutil

import numpy
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

import fragment
import pictures
from renderer import CompileError

# The site's own language, and the names of the first WebGL for files that are older than it.
DIALECTS = tuple(dialect for dialect in fragment.DIALECTS if dialect.version.endswith("es"))

ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--mute-audio",
)  # fmt: skip

# Draws into floats, so that numbers beyond black and white, and those that are none, can be seen too.
PAGE = """
const [job, done] = arguments;
const draw = () => {
  window.gl ??= document.createElement("canvas").getContext("webgl2", { antialias: false });
  const gl = window.gl;
  if (!gl || gl.isContextLost() || !gl.getExtension("EXT_color_buffer_float")) return { failure: "no WebGL 2 with float targets" };
  const shader = (kind, text) => {
    const made = gl.createShader(kind);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made) || "no reason given");
    return made;
  };
  const program = gl.createProgram();
  try {
    gl.attachShader(program, shader(gl.VERTEX_SHADER, job.vertex));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, job.fragment));
  } catch (error) {
    return { refusal: error.message };
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return { refusal: gl.getProgramInfoLog(program) || "it does not link" };
  gl.useProgram(program);
  const place = (name) => gl.getUniformLocation(program, name);
  const setFloats = (floats) => {
    for (const [name, value] of Object.entries(floats)) {
      const array = Array.isArray(value) ? value : [value];
      if (place(name)) gl[`uniform${array.length}fv`](place(name), array);
    }
  };
  setFloats(job.floats);
  if (place("iChannelResolution")) gl.uniform3fv(place("iChannelResolution"), job.sizes.flat());
  const textures = job.channels.map((channel, number) => {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + number);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const bytes = Uint8Array.from(atob(channel.pixels), (letter) => letter.charCodeAt(0));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, channel.width, channel.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    if (channel.filter === "mipmap") gl.generateMipmap(gl.TEXTURE_2D);
    const small = { nearest: gl.NEAREST, linear: gl.LINEAR, mipmap: gl.LINEAR_MIPMAP_LINEAR }[channel.filter];
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, small);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, channel.filter === "nearest" ? gl.NEAREST : gl.LINEAR);
    const wrap = channel.wrap === "repeat" ? gl.REPEAT : gl.CLAMP_TO_EDGE;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrap);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrap);
    if (place(`iChannel${number}`)) gl.uniform1i(place(`iChannel${number}`), number);
    return texture;
  });
  const target = gl.createTexture(), framebuffer = gl.createFramebuffer();
  gl.activeTexture(gl.TEXTURE4);
  gl.bindTexture(gl.TEXTURE_2D, target);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, job.width, job.height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
  gl.viewport(0, 0, job.width, job.height);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  for (const clock of job.clocks) {
    setFloats(clock.floats);
    gl.uniform1i(place("iFrame"), clock.frame);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
  const pixels = new Float32Array(4 * job.width * job.height);
  gl.readPixels(0, 0, job.width, job.height, gl.RGBA, gl.FLOAT, pixels);
  const error = gl.getError();
  for (const texture of [...textures, target]) gl.deleteTexture(texture);
  gl.deleteFramebuffer(framebuffer);
  gl.deleteProgram(program);
  if (gl.isContextLost()) return { failure: "the browser lost its context" };
  if (error) return { failure: `WebGL error ${error}` };
  const bytes = new Uint8Array(pixels.buffer);
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768) text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  return { pixels: btoa(text) };
};
try { done(draw()); } catch (error) { done({ failure: String(error) }); }
"""


class BrowserRenderer:
    """Owns one headless browser and renders jobs with it, one after the other; a browser that hangs is replaced."""

    def __init__(self, timeout):
        self.timeout = timeout
        self.browser = None

    def driver(self):
        """Returns the name and version of the browser, for reports."""
        capabilities = self._browser().capabilities
        return f"{capabilities['browserName']} {capabilities['browserVersion']}, WebGL 2"

    def render(self, job):
        """Returns the colours (`height × width × 4` floats, top row first) and the dialect that compiled."""
        failure = None
        for dialect in (job.dialect,) if job.dialect else DIALECTS:
            answer = self._answer(_message(job, dialect))
            if "pixels" in answer:
                pixels = numpy.frombuffer(base64.b64decode(answer["pixels"]), numpy.float32)
                return pixels.reshape(job.height, job.width, 4)[::-1].copy(), dialect
            if "failure" in answer:
                self.close()
                raise RuntimeError(answer["failure"])
            failure = failure or answer["refusal"]
        raise CompileError(" | ".join(line for line in failure.split("\n") if line.strip("\0 "))[:300])

    def close(self):
        """Ends the browser with all its processes."""
        if self.browser is not None:
            self.browser.quit()
            self.browser = None

    def _answer(self, message):
        try:
            return self._browser().execute_async_script(PAGE, message)
        except WebDriverException as error:
            self.close()
            raise RuntimeError(str(error.msg or error).split("\n")[0]) from None

    def _browser(self):
        if self.browser is None:
            options = Options()
            for argument in ARGUMENTS:
                options.add_argument(argument)
            service = Service(shutil.which("chromedriver") or "/usr/bin/chromedriver")
            self.browser = webdriver.Chrome(service=service, options=options)
            self.browser.set_script_timeout(self.timeout)
        return self.browser


def _message(job, dialect):
    """What the page is told of a job."""
    channels, sizes = [], []
    for number in range(4):
        path, sampler = job.channels.get(number, (None, None))
        if path is None:
            channels.append({"width": 1, "height": 1, "pixels": _text(bytes((0, 0, 0, 255))), "filter": "nearest", "wrap": "clamp"})
            sizes.append((0.0, 0.0, 0.0))
            continue
        pixels = pictures.read(path)
        rows = pixels[::-1] if sampler.vflip else pixels
        height, width = pixels.shape[:2]
        text = _text(numpy.ascontiguousarray(rows).tobytes())
        channels.append({"width": width, "height": height, "pixels": text, "filter": sampler.filter, "wrap": sampler.wrap})
        sizes.append((float(width), float(height), 1.0))
    return {
        "vertex": fragment.vertex_shader(dialect),
        "fragment": fragment.fragment_shader(job.text, dialect, job.prologue, job.position),
        "width": job.width,
        "height": job.height,
        "channels": channels,
        "sizes": sizes,
        "floats": {"iResolution": (float(job.width), float(job.height), 1.0), "iSampleRate": 44100.0},
        "clocks": [{"frame": clock.frame, "floats": _floats(clock)} for clock in job.clocks()],
    }


def _floats(clock):
    return {
        "iTime": clock.time, "iTimeDelta": clock.time_delta, "iFrameRate": clock.rate, "iMouse": clock.mouse, "iDate": clock.date,
    }  # fmt: skip


def _text(data):
    return base64.b64encode(data).decode("ascii")
