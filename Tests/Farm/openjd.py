"""Jobs in Open Job Description: `etalon farm openjd`, read and run by the programs of its own project, and read by those of AWS Deadline Cloud."""
import json
import os

from pictures import without_values
from running import (
    SAMPLES, Failure, etalon, expect_same_files, expect_same_packets, files_in, long_video, path, read, render, run, settings)

QUIET = {"DEADLINE_CLOUD_TELEMETRY_OPT_OUT": "true"}


def program(name):
    return f"{settings.environment}/bin/{name}"


class Bundle:
    """A job bundle that etalon has written."""

    def __init__(self, folder, *words, output, options=()):
        # The values of all parameters are typed in the tasks of a job, so that their list in the files is longer than in those of a plain render.
        self.folder = folder
        self.made = etalon("farm", "openjd", folder, "--workers", "1", *options, *words, "--device", "cpu", "-o", output)
        self.file = folder + "/template.json"
        self.template = json.loads(read(self.file))
        self.parameters = {parameter["name"]: parameter for parameter in self.template["parameterDefinitions"]}
        run(program("openjd"), "check", self.file).expect_told("passes validation checks")

    def expect_steps(self, *names):
        """That the template has these steps, and that all readers see them."""
        found = [step["name"] for step in self.template["steps"]]
        if found != list(names):
            raise Failure(f"the steps of '{self.file}' are {found}, not {list(names)}")
        run(program("openjd"), "summary", self.file, *self.values()).expect_told(*names)
        # What it prints for programs is lines of JSON.
        told = run(program("deadline"), "bundle", "info", self.folder, environment=QUIET).messages
        for name in [*names, *self.parameters, self.template["name"]]:
            if name not in told:
                raise Failure(f"`deadline bundle info` does not tell '{name}', but: {told}")
        return self

    def parameter(self, holds, what):
        found = [name for name, parameter in self.parameters.items() if holds(parameter)]
        if len(found) != 1:
            raise Failure(f"'{self.file}' has not one parameter {what}, but: {found} of {list(self.parameters)}")
        return found[0]

    def values(self, **others):
        """What a user types for the parameters of the job."""
        values = {"Etalon": settings.etalon, **others}
        return ["-p", f"file://{self.folder}/parameters.json", *[word for name, value in values.items() for word in ("-p", f"{name}={value}")]]

    def run(self, code=0, more=(), **others):
        return run(program("openjd"), "run", self.file, *self.values(**others), *more, seconds=180, code=code)


def a_filter():
    words = [SAMPLES + "/halo.fs", "-i", SAMPLES + "/coffee.png", "-r", "24", "--duration", "24f", "--size", "64x64"]
    for strength in ("1.5", "2.5"):
        render(*words, "--set", f"strength={strength}", "-o", path("openjd-filter", f"whole-{strength}", "a.####.png"))
    bundle = Bundle(path("openjd-filter", "job"), *words, "--set", "strength=1.5", output=path("openjd-filter", "out", "a.####.png"))
    bundle.expect_steps("Render", "Check")
    bundle.run().expect_told("openjd_progress: 100", "openjd_status: ")
    count = expect_same_files(path("openjd-filter", "out"), path("openjd-filter", "whole-1.5"), without_values)
    # Another value, another folder.
    strength = bundle.parameter(lambda parameter: parameter["name"].lower() == "strength", "for the strength")
    if float(bundle.parameters[strength]["default"]) != 1.5:
        raise Failure(f"the strength is {bundle.parameters[strength]['default']} unless something else is said")
    folders = [name for name, one in bundle.parameters.items() if one.get("dataFlow") == "OUT" and one["type"] == "PATH" and name != "Records"]
    if len(folders) != 1:
        raise Failure(f"the folders for results are {folders}")
    bundle.run(**{strength: "2.5", folders[0]: path("openjd-filter", "other", "")[:-1], "Records": path("openjd-filter", "other-records", "")[:-1]})
    expect_same_files(path("openjd-filter", "other"), path("openjd-filter", "whole-2.5"), without_values)
    # A value that the parameter does not have is refused before anything runs.
    bundle.run(code=1, **{strength: "-1000"})
    # A picture that is not there: the task says why it fails.
    picture = bundle.parameter(lambda parameter: parameter.get("dataFlow") == "IN" and parameter["userInterface"]["label"].endswith("coffee.png"), "for the picture")
    bundle.run(code=1, **{picture: path("openjd-filter", "missing.png")}).expect_told("openjd_fail: .*missing.png")
    return f"{count} frames with the bytes of the plain render, but for the list of values, also with another value and folder; a value and a picture that are wrong are told"


def a_graph():
    words = [SAMPLES + "/graphs/eased-transition.yaml", "--size", "64x64"]
    render(*words, "-o", path("openjd-graph", "whole", "a.####.png"))
    bundle = Bundle(path("openjd-graph", "job"), *words, output=path("openjd-graph", "out", "a.####.png")).expect_steps("Render", "Check")
    bundle.run()
    return f"{expect_same_files(path('openjd-graph', 'out'), path('openjd-graph', 'whole'), without_values)} frames with the bytes of the plain render, but for the list of values"


def a_graph_with_state():
    words = [SAMPLES + "/graphs/trail.yaml", "--size", "64x64"]
    render(*words, "--no-checkpoints", "-o", path("openjd-state", "plain", "a.####.png"))
    for cut, steps in (("checkpoints", ("Checkpoints", "Render", "Check")), ("whole", ("Render", "Check"))):
        bundle = Bundle(path("openjd-state", cut, "job"), *words, output=path("openjd-state", cut, "out", "a.####.png"), options=["--cut", cut])
        bundle.expect_steps(*steps)
        bundle.run()
        count = expect_same_files(path("openjd-state", cut, "out"), path("openjd-state", "plain"), without_values)
    etalon("farm", "openjd", path("openjd-state", "frames"), "--cut", "frames", *words, "-o", path("openjd-state", "none", "a.####.png"), code=64)
    if files_in(path("openjd-state", "frames")):
        raise Failure("a job that was refused has been written")
    return f"{count} frames with the bytes of the plain render, but for the list of values, cut at checkpoints and whole; not cut at any frame"


def a_video():
    words = [long_video(), "hue-rotate angle=(20*time)", "--size", "64x64"]
    whole, video = path("openjd-video", "whole.mp4"), path("openjd-video", "out", "video.mp4")
    render(*words, "--resume", "-o", whole)
    bundle = Bundle(path("openjd-video", "job"), *words, output=video).expect_steps("Render", "Video")
    bundle.run()
    count = expect_same_packets(video, whole)
    if files_in(path("openjd-video", "out")) != {"video.mp4"}:
        raise Failure(f"beside the video there are {files_in(path('openjd-video', 'out'))}")
    return f"{count} packets of the whole, with sound"


def moved_paths():
    """A worker that finds the files elsewhere than whoever has made the job."""
    here, there = path("openjd-moved", "here", ""), path("openjd-moved", "there", "")
    words = ["vignette", "-i", here + "in/plate.####.png", "--size", "64x64"]
    render(SAMPLES + "/aurora.glsl", "-r", "24", "--duration", "6f", "--size", "64x64", "-o", here + "in/plate.####.png")
    render(*words, "-o", here + "whole/a.####.png")
    bundle = Bundle(here + "job", *words, output=here + "out/a.####.png").expect_steps("Render", "Check")
    os.rename(here + "in", there + "in")
    rules = {"version": "pathmapping-1.0", "path_mapping_rules": [{"source_path_format": "POSIX", "source_path": here[:-1], "destination_path": there[:-1]}]}
    bundle.run(more=["--path-mapping-rules", json.dumps(rules)])
    count = expect_same_files(there + "out", here + "whole", without_values)
    if files_in(here + "out"):
        raise Failure("frames were written where the paths had been")
    return f"{count} frames of a sequence in mapped folders, with the bytes of the plain render, but for the list of values"


def cases():
    yield "OpenJD, a filter", a_filter
    yield "OpenJD, a graph", a_graph
    yield "OpenJD, a graph with state", a_graph_with_state
    yield "OpenJD, a video", a_video
    yield "OpenJD, mapped paths", moved_paths
