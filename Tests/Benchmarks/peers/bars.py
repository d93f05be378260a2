"""What Etalon has to reach, and how a figure is held against it."""

# Etalon's CPU per frame, as a part of the dispatch alone and the encoder alone together.
ALONE = 1.15
# Etalon's CPU per frame, as a part of what libplacebo, as it comes, and ffmpeg's encoder need, by shader.
PEER = {"plasma": 1 / 3, "noise": 1 / 2}
# Etalon's CPU per frame of a blurred photo, as a part of what ffmpeg's filters need.
GRAPH = 1.0
# Etalon's CPU per frame of a video whose hue turns, as a part of a hue shader in libplacebo's filter, and of ffmpeg's hue filter before x264 medium.
VIDEO_PLACEBO = 0.4
VIDEO_HUE = 1.15
# Etalon's CPU per frame of a blurred, turned and darkened video, as a part of ffmpeg's filters: with hardly an encoder, and before x264 medium.
VIDEO_PLANES = 2.5
VIDEO_CHAIN = 1.5
# Etalon's CPU per frame of a filter from PNG to PNG, as a part of what ffmpeg's filter needs: where a pixel depends on its own input alone, for any, and
# the geometric mean of all.
FILTER_POINTWISE = 1.3
FILTER = 2.0
FILTERS = 1.0
# The time to the first picture, as a part of libplacebo's.
FIRST_FRAME = 0.4
# The most memory of a sequence, in MB, and how much more of it a longer sequence may take.
MEMORY = 250
MEMORY_GROWTH = 16


class Bars:
    """Prints figures beside what they may be at most, and remembers whether all passed."""

    def __init__(self):
        self.all_passed = True

    def check(self, what, value, limit, unit=""):
        passed = value <= limit
        self.all_passed = self.all_passed and passed
        print(f"  {'pass' if passed else 'FAIL'}  {what}: {value:.3g}{unit}, at most {limit:.3g}{unit}", flush=True)

    def exit_code(self):
        return 0 if self.all_passed else 1
