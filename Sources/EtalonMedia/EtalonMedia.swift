// # EtalonMedia
//
// Reads and writes pixels and sounds.
//
// Comes in: bytes and paths; packed pixels of finished frames (`RowSource`).
// Goes out: `PixelBuffer`s and `Sound`s; PNG, TIFF and EXR files, contact sheets, frames for a pipe, and whether existing frames are complete (`--resume`).
// Carried by: `PixelBuffer`, `Sound`, `FramePattern` (`out/name.####.png`), `FrameProvenance` (where a frame comes from, as texts of its file),
// `FrameJob`.
// Start reading: `Reading/PictureReader.swift` for input, `Writing/FrameWriterPool.swift` for output.
//
// - `Reading/`    PNG, JPEG, TIFF, WebP, DPX, OpenEXR, WAV; `FileFormat` in `FileReader.swift` tells them by content
// - `Writing/`    encoders, and `AtomicFile`, which writes a temporary file and renames it
// - `Sequences/`  patterns, ranges, gaps, side-car files
// - `Frames/`     frames of videos as planes of samples: fields, light, palettes
// - `SoundAnalyser.swift`, `ContactSheet.swift`, `Canvas.swift`  spectra for shaders that listen; sheets and labels
//
// Rule: `CPNG`, `CJPEG`, `COpenEXR`, `CTIFF`, `CWebP` and `CDeflate` are imported here only; their errors come back as values, never as jumps.
