/// How long frames took, for simulations.
enum RecordedFrames {
  /// Seconds of 64 frames of `samples/raindrops.glsl` in 3840x2160, one after the other, on a CPU executor with two threads beside other work.
  static let seconds: [Double] = [
    1.49, 1.25, 1.32, 1.53, 1.5, 1.29, 1.43, 1.37, 1.18, 0.96, 1.0, 1.21, 1.17, 1.16, 1.14, 1.07, 1.04, 1.1, 1.15, 1.12,
    1.11, 1.15, 1.19, 1.11, 1.1, 1.23, 2.06, 3.19, 2.91, 2.71, 2.32, 1.44, 1.71, 1.66, 2.87, 2.77, 2.84, 2.58, 1.36, 2.04,
    2.02, 2.12, 2.12, 2.22, 1.96, 2.39, 2.25, 2.38, 2.39, 1.88, 1.8, 1.66, 2.31, 2.71, 2.44, 2.28, 1.29, 2.47, 2.78, 2.73,
    2.92, 2.79, 1.85, 1.8,
  ]
}
