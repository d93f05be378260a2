// # EtalonSPIRV
//
// Reads and rewrites SPIR-V, and defines what a kernel is.
//
// Comes in: the words of a module, from the compiler or from a file of the cache. They may be damaged or hostile.
// Goes out: a checked module, its interface, its control flow as nested regions, and new modules: hardened, or linked from several.
// Carried by: `SPIRVModule` (parsed and checked), `Kernel` (name, words, interface), `KernelInterface` (what has to be bound),
// `StructuredControlFlow` (regions), `LinkedKernel`, `OpenBehavior` (the list of what specifications leave open).
// Start reading: `Kernel.swift`, then `Module/SPIRVModule.swift`.
//
// - `Module/`     opcodes, shapes of instructions, types and constants; the specification's spelling is kept
// - `Parser/`     the only way to make an `SPIRVModule`: grammar, ids, dominance, limits (`ModuleLimits`)
// - `Rewriting/`  `Hardening` before a driver gets a module, `KernelLinker` for fusion, `CompositeSelection` for selections of arrays
// - `Reflection.swift`, `BlockLayout.swift`  interface and layout of blocks
// - `StructuredControlFlow.swift`            what both evaluators of SPIR-V run: `EtalonCPU` and `EtalonIntervals`
// - `InlinedSize.swift`                      how large a kernel becomes once every call is inlined
// - `OpenBehavior.swift`                     undefined and implementation-defined behavior, with clause, condition and who knows it
//
// Rule: no number of a module may end the process. Numbers are checked where they are read, or arithmetic with them saturates.
