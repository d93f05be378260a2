// # EtalonIntervals
//
// Works out what a pixel may be on any device that follows the Vulkan specification, with ranges instead of numbers.
//
// Comes in: a `Plan`, its pictures, the `FrameValues` of frames, and the pixel that is asked about.
// Goes out: an `Interval` for each channel, with the instruction that made it wide (`Cause`); or a `Stop`, where nothing can be said.
// Carried by: `FrameIntervals` (a frame, asked pixel by pixel), `Interval` (a range that may also hold NaN), `IntervalProgram` (a kernel, prepared).
// Start reading: `FrameIntervals.swift`, then `Numbers/Interval.swift`.
//
// - `Numbers/`   functions of ranges alone, with the bounds of the specification's tables; tested with random numbers
// - `Running/`   one pixel, its quad or its workgroup at a time: both ways of an open condition, memory, textures
// - `FrameTextures.swift`, `PassSurroundings.swift`  texels of earlier passes and frames, worked out when they are read
//
// Rules: a range holds everything that a device may give, so "outside" is certain. What is not known ends the pixel as unknown; no default lets it pass.
