// # EtalonTesting
//
// `expectRender` for tests in Swift packages.
//
// Comes in: an `Image`, and the path of a stored picture or a second image; a `Tolerance`.
// Goes out: an issue of Swift Testing where they differ, with the rendered picture, the reference and their difference attached; a
// `PictureComparison`.
// Carried by: `Image`, `Tolerance`, `PictureComparison`; the recording mode comes from the environment variable `ETALON_REFERENCES`.
// Start reading: `ExpectRender.swift`.
//
// - `ExpectRender.swift`       the two public functions
// - `RenderExpectation.swift`  renders, compares, reports, records
//
// Rule: this module imports `Testing` and so is linked into tests only; the article TestsInSwiftAndCI shows its use.
