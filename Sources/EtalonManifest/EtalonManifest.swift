// # EtalonManifest
//
// Reads a filter file of any dialect.
//
// Comes in: a text (`SourceText`) or the folder of a project, the files around it (`FileProvider`), and what the user says about it
// (`FilterReader.Options`).
// Goes out: a `FilterReading`: the manifest, and warnings. The manifest holds, for each pass, Vulkan GLSL whose every token has its place in the author's
// file. Errors are diagnostics at those places. Nothing is compiled here.
// Carried by: `FilterManifest` (inputs, parameters, targets, passes), `PassSource` (one pass), `GeneratedSource` (its text, token by token),
// `StoreVariant` (how the pass stores its result), `FilterDraft` (a manifest with its errors).
// Start reading: `FilterReader.swift`, then `Dialects/GLTransitionReader.swift`, the smallest dialect.
//
// - `Dialects/`     one folder or file for each dialect: inputs, translation to passes; `DialectRecognition.swift` chooses by content;
//                   `Headers/` reads the headers of ISF and native files, and `HeaderPolicy.swift` says where they differ
// - `GLSL/`         tokens, declarations outside of functions, and rewrites that several dialects share
// - `Kernels/`      GLSL around the author's text: declarations, stores, quads, texture reads, regions, the host of fused kernels
// - `Manifest/`     what a reader hands on, and its text form for tests (`ManifestPrinter`)
// - `Values/`       values as people type them, checked against types and ranges; constants that become parameters
// - `JSON/`         JSON with the place of every key and value
// - `Portability/`  notes on what pictures rely on, for `etalon check`
//
// Rule: words of a dialect (`iTime`, `FRAMEINDEX`) stand in `Dialects/` only; other modules see `Uniform.Meaning`.
