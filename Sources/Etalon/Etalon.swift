// # Etalon
//
// The library: puts the modules together.
//
// Comes in: a `RenderRequest`: a subject (a filter, a document or stages, images), settings, and frames. Programs make it of `Image` and `RenderSettings`.
// Goes out: frames (`Frame`), files, and diagnostics.
// Carried by: `RenderRequest` -> `BuiltGraph` -> `ShotAnimation` -> `Shot`, for programs, the command, tests and surveys alike.
// Start reading: `Rendering/ShotRenderer.swift`; as a program sees it, `API/RenderContext.swift`.
//
// - `API/`        what is public; the article ImagesAndContexts shows it
// - `Library/`    where filters are looked up, reading and compiling them (`FilterLoader`), the index of a library
// - `Graphs/`     documents and stages become recipes: nodes are loaded (`NodeLoader`), wired (`NodeWiring`) and assembled (`GraphAssembly`);
//                 the evaluator of GLSL expressions
// - `Inputs/`     pictures, sequences and sounds for image inputs
// - `Rendering/`  requests become frames: values and plans of all frames (`ShotAnimation`), memory (`ShotPlans`), state and checkpoints (`Shot`),
//                 devices, compiled kernels (`KernelStore`), hashes of recipes
// - `Export/`     frames into files, pipes and contact sheets; the part of them that a run makes where others make the rest (`WorkPortion`)
// - `Authoring/`  describe, new, import
//
// Rule: this module connects; it does not parse, compile or compute. What needs only one of the modules below belongs there.
