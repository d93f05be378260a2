// # EtalonComparison
//
// Measures how two pictures differ, and judges that by a tolerance.
//
// Comes in: two `PixelBuffer`s, a `Tolerance`, and the metrics that are wanted beyond those that the tolerance needs.
// Goes out: a `PictureComparison`: what was measured, each limit with its result (`LimitResult`), and the verdict; pictures of the differences.
// Carried by: `Tolerance` (limits), `ComparisonMetric`, `PictureComparison`, `ToleranceDiagnostic`.
// Start reading: `ComparePictures.swift`.
//
// - `Measuring/`  one measurement for each metric; the loops over pixels are C, in `Sources/CComparison`
// - `Tolerance/`  limits, how they are read from text, and which of them contradict themselves or can never be exceeded
// - `SequenceComparison.swift`   sequences, and flicker between frames
// - `ToleranceProposer.swift`    the tightest tolerance that holds for known pairs
// - `DifferencePictures.swift`   difference, false color, FLIP map
//
// Rule: differences of channels are always measured; a metric is measured only where a limit or the caller asks for it, because some take seconds.
