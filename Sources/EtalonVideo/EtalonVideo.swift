// # EtalonVideo
//
// Reads and writes videos through FFmpeg's libraries, which are opened at run time where the machine has them.
//
// Comes in: the path of a video, times; pictures as planes.
// Goes out: decoded pictures, exactly as the decoder made them, and the sounds of videos; videos.
// Carried by: `VideoLibrary`, `VideoDescription`, `VideoFrame` with one `PixelBuffer` for each plane, `Rational` times; `VideoOutputSettings`,
// and `FramePlane` of `EtalonMedia`.
// Start reading: `VideoLibrary.swift`, then `Reading/VideoReader.swift` or `Writing/VideoWriter.swift`.
//
// - `VideoLibrary.swift`  opens the libraries, and says which packages are missing
// - `Reading/`            pictures by time (`VideoReader`) or as they come (`LiveReader`), sounds; streams, pipes and cameras (`StreamAddress`)
// - `Writing/`            `VideoCodec` and `VideoOutputCheck` (what goes together), `VideoWriter`, sounds, GIFs, videos in parts (`VideoSegments`)
//
// Rules: `CFFmpeg` is imported here only, and FFmpeg's headers in its C files only. Nothing of FFmpeg's is linked or comes with Etalon. Values are never
// converted: ranges, matrices and orientations are told, and applied elsewhere.
