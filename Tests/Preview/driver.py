"""Starts `etalon preview` and a headless Chromium that looks at it; what the checks and the measurements share."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


class Server:
    """One `etalon preview`, ended when the block ends."""

    def __init__(self, etalon, *arguments, folder=None, environment=None, embedded=False):
        self.started = time.monotonic()
        variables = {**os.environ, **(environment or {})}
        # The page of this source tree, so that a changed page is looked at without a new build; or the one that the program brings along.
        variables["ETALON_PREVIEW_PAGE"] = os.path.join(ROOT, "Sources/EtalonPreview/Page")
        if embedded:
            del variables["ETALON_PREVIEW_PAGE"]
        # A file, because a pipe that nobody empties would stop the server one day.
        self.words = tempfile.NamedTemporaryFile(mode="r", prefix="etalon-preview-")
        with open(self.words.name, "w") as words:
            self.process = subprocess.Popen([etalon, "preview", *arguments, "--no-open"], cwd=folder, env=variables, stdout=words, stderr=subprocess.STDOUT)
        self.address = self._address()

    def _address(self):
        said = ""
        while time.monotonic() - self.started < 60:
            said = self.said()
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*", said)
            if found:
                return found.group(0)
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise SystemExit(f"the preview printed no address:\n{said}")

    def said(self):
        with open(self.words.name) as words:
            return words.read()

    @property
    def origin(self):
        return re.match(r"http://[^/]+", self.address).group(0)

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Bytes that lie in memory."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self):
        """Ends it as ^C does, and says how it ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    """A page in Chromium, with words for what a person does on it."""

    def __init__(self, address, width=1440, height=900, dark=True):
        options = Options()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--autoplay-policy=no-user-gesture-required",
                         f"--window-size={width},{height}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "accept")
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver") or "/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(120)
        self.resize(width, height)
        self.colors(dark)
        self.driver.get(address)

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def colors(self, dark):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def await_script(self, script, *arguments):
        """Runs a script that ends with a call of `done`."""
        return self.driver.execute_async_script("const done = arguments[arguments.length - 1];" + script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def until(self, what, condition, seconds=30):
        """Waits for a condition, which is a function or a script; fails with the words for it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = condition() if callable(condition) else self.run(f"return {condition}")
                if value:
                    return value
            except StaleElementReferenceException:
                pass
            time.sleep(0.03)
        self.picture(f"failure, {what}")
        raise Failure(f"{what}: not within {seconds} s")

    def click(self, selector):
        """Clicks an element, once it is there and can be clicked."""
        self.until(f"'{selector}' to click", lambda: self._try_click(selector))

    def _try_click(self, selector):
        try:
            self.find(selector).click()
            return True
        except WebDriverException:
            return False

    def press(self, *keys):
        """Presses keys on the page itself."""
        self.run("document.activeElement?.blur()")
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def type_into(self, selector, text, enter=True):
        self.until(f"'{selector}' to type into", lambda: self._try_typing(selector, text + (Keys.ENTER if enter else "")))

    def _try_typing(self, selector, text):
        # The page may make its rows anew just now, as after a file was saved.
        try:
            field = self.find(selector)
            field.click()
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(text)
            return True
        except WebDriverException:
            return False

    def shown(self):
        """The number of the newest message that the picture on the page shows."""
        return int(self.run("return document.documentElement.dataset.shown ?? '0'"))

    def pixel(self, x=0.5, y=0.5):
        """A pixel of the canvas, at parts of its width and height."""
        return self.run("""const canvas = document.getElementById("picture");
            return [...canvas.getContext("2d").getImageData(Math.floor(canvas.width * arguments[0]), Math.floor(canvas.height * arguments[1]), 1, 1).data]""", x, y)

    def picture_sum(self):
        """One number for the whole picture, to see whether it changed."""
        return self.run("""const canvas = document.getElementById("picture"), data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let sum = 0; for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] + 3 * data[i + 1] + 7 * data[i + 2]) % 1000000007; return sum""")

    def contrast(self):
        """The root of the mean square of the differences of neighbors in the middle row."""
        return self.run("""const canvas = document.getElementById("picture"), data = canvas.getContext("2d").getImageData(0, canvas.height >> 1, canvas.width, 1).data;
            let sum = 0; for (let i = 4; i < data.length; i++) sum += Math.abs(data[i] - data[i - 4]) ** 2; return Math.sqrt(sum / data.length)""")

    def picture(self, name):
        folder = os.environ.get("ETALON_PREVIEW_PICTURES")
        if folder:
            os.makedirs(folder, exist_ok=True)
            self.driver.save_screenshot(os.path.join(folder, f"{name}.png"))

    def complaints(self):
        """What the browser complained about: scripts that failed, and what the security policy held back."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def memory(self):
        """Bytes of the scripts' heap, after collecting what is not used."""
        self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        return self.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]

    def close(self):
        self.driver.quit()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Failure(Exception):
    pass


def expect(condition, words):
    if not condition:
        raise Failure(words)


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
