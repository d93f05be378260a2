// # EtalonCompiler
//
// Compiles the GLSL of a pass to a kernel.
//
// Comes in: a `PassSource` and a `StoreVariant`, from a manifest.
// Goes out: a `CompiledKernel`: unoptimized SPIR-V 1.3 that the validator has passed, its interface, and the compiler's warnings at the author's line and
// column. Errors are diagnostics at the same places, or a `RenderError` for a time-out or missing memory (`CompileError`).
// Carried by: `CompiledKernel`, `TokenLines` (from lines of the generated text back to the author's tokens), `KernelCache`.
// Start reading: `ShaderCompiler.swift`.
//
// - `Glslang.swift`         the compiler and the validator as two functions on values; the only file that imports `CGlslang`
// - `KernelCache.swift`     compiled kernels in the user's cache folder
// - `Errors/`               glslang's messages in Etalon's words; one rule in one place, `MessageTable.swift` lists them
// - `InterfaceCheck.swift`  parameters that nothing uses, in the dialects that have a header
// - `KernelOptimizer.swift` an optimizer that only the invariant `optimization` uses
//
// Rule: kernels are never optimized for rendering. Optimizers contract multiplications and additions, which changes noise of the kind
// `fract(sin(x) * 43758.5453)`.
