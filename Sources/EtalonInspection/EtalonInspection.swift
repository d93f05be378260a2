// # EtalonInspection
//
// Looks into shaders: checks without rendering, the sanitizer, probes, ranges of the specification, stability.
//
// Comes in: a `RenderRequest`, and what is asked: all findings, the values of one pixel, one variable in all pixels, or whether a pixel of a device is
// allowed.
// Goes out: `Finding`s at lines of the author's text, `ProbeLine`s, `VariablePicture`s, `PixelRange`s, and pictures of each (`PictureMap`, `StabilityMap`).
// Carried by: logs of the CPU executor (`WatchLog`, `ProbeLog`, `VariableLog`) and `FrameIntervals`, joined with the places of `CompiledKernel.lines`.
// Start reading: `Sanitizer.swift`, then `Finding.swift`, which has the words for each kind of finding.
//
// - `FilterCheck.swift`, `ConstantFindings.swift` everything that can be said about a filter without rendering it
// - `Sanitizer.swift`, `Finding.swift`       runs a watched shot, groups what happened by line, leaves out what a comment allows
// - `Prober.swift`, `VariableProber.swift`   the variables of one pixel line by line; one variable in all pixels
// - `SpecificationRanges.swift`              pixels of a device against the ranges of `EtalonIntervals`
// - `StabilityMap.swift`                     how far pixels move under errors that devices may make (`Perturbation`)
//
// Rule: nothing here changes a picture. Kernels run as they were written, without hardening, and filters one by one, without fusion.
