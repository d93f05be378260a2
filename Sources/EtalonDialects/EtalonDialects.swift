// # EtalonDialects
//
// Reads a filter file of any dialect.
//
// Comes in: a text (`SourceText`) or the folder of a project, the files around it (`FileProvider`), and what the user says about it
// (`FilterReader.Options`).
// Goes out: a `FilterReading`: the manifest, and warnings. The manifest holds, for each pass, Vulkan GLSL whose every token has its place in the author's
// file. Errors are diagnostics at those places. Nothing is compiled here.
// Carried by: the types of `EtalonManifest`: `FilterManifest` and `PassSource`, and `FilterDraft` (a manifest with its errors) until a reader is done.
// Start reading: `FilterReader.swift`, then `GLTransitionReader.swift`, the smallest dialect.
//
// - `Fragment/`, `ISF/`, `Native/`, `ShaderToy/`  one folder for each large dialect: inputs, translation to passes
// - `GLTransitionReader.swift`, `ComputeReader.swift`  the small dialects
// - `Headers/`      the headers of ISF and native files; `HeaderPolicy.swift` says where they differ
// - `Portability/`  notes on what pictures rely on, for `etalon check`
// - `DialectRecognition.swift`  chooses the dialect by content
//
// Rule: words of a dialect (`iTime`, `FRAMEINDEX`) stand in this module only; other modules see `Uniform.Meaning`.
// Loops over tokens that several dialects need belong to `EtalonManifest`, which is optimized in every build of the scripts; this module is not.
