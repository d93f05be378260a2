// # EtalonTypes
//
// The nouns that all modules share.
//
// Comes in, goes out: plain values. Nothing here reads a file, starts a thread or knows a shader.
// Carried by: `Size`, `Extent`, `Rational`, `FrameRate`, `FrameRange`, `PixelFormat`, `AlphaMode`, `PixelBuffer`, `Sampler`, `Value`, `ValueType`,
// `ParameterKind`, `ContentHash`.
// Start reading: `PixelBuffer.swift` for pictures, `FrameRange.swift` and `Rational.swift` for time.
//
// - `Rational.swift`, `FrameRange.swift`  exact fractions, so that frame 1,000,000 of a shot is as exact as frame 1
// - `Size.swift`, `PixelBuffer.swift`     pictures in memory: the top row first, formats from `r8` to `rgba32f`
// - `MipmapChain.swift`                   levels of mipmaps, defined to the bit
// - `Sampler.swift`                       how a texture is read between and beyond its pixels
// - `Value.swift`                         types and values of parameters and uniforms, in GLSL's words
// - `ContentHash.swift`                   SHA-256 for caches and recipes, checksums against accidental damage; the only file that imports `CCrypto`
