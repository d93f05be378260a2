// # EtalonManifest
//
// What a filter file is made of, and what its readers hand on.
//
// Comes in: texts (`SourceText`), files that a text includes (`FileProvider`), values as people type them.
// Goes out: JSON with places, checked values; and the types of a manifest, which the readers in
// `EtalonDialects` fill.
// Carried by: `FilterManifest` (inputs, parameters, targets, passes), `PassSource` (one pass; its text is a `GeneratedSource` of `EtalonGLSL`),
// `StoreVariant` (how the pass stores its result), `FilterDraft` and `FilterReading` (a manifest with its errors, and one without).
// Start reading: `Manifest/FilterManifest.swift`, then `Manifest/PassSource.swift`.
//
// - `Kernels/`   GLSL around the author's text: declarations, stores, quads, texture reads, regions, the host of fused kernels
// - `Manifest/`  what a reader hands on, and its text form for tests (`ManifestPrinter`)
// - `Values/`    values as people type them, checked against types and ranges; constants that become parameters
// - `JSON/`      JSON with the place of every key and value
