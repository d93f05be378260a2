// # EtalonCPU
//
// Executes plans on the processor, with the same bits on every machine, number of threads and instruction set. Its pictures are the references.
//
// Comes in: a `CheckedPlan` with its pictures; then `FrameValues` for each frame.
// Goes out: packed pixels (`PendingFrame`), state (`PlanState`); where a run is observed also logs of what kernels did.
// Carried by: SPIR-V -> `ShaderGraph` (scalar operations in regions) -> `LinearCode` -> `LaneProgram` (lane kernels with byte offsets), run by
// `WorkgroupRunner` in batches of 256 invocations. Logs: `WatchLog` (sanitizer), `ProbeLog` (one pixel), `VariableLog` (one variable in all pixels).
// Start reading: `Runtime/CPUBackend.swift`, then `Runtime/KernelCompiler.swift`, which names the steps from SPIR-V to a program.
//
// - `Lowering/`  instructions of SPIR-V become operations: calls inlined, vectors and structures taken apart; `Perturbation` adds errors on purpose
// - `Graph/`     the operations, what is equal for a workgroup (`Uniformity`), simplification, fusion of pairs of operations and of sums of texels
// - `Emission/`  masks and jumps, registers by linear scan, programs
// - `Runtime/`   memory of frames, passes, workgroups, threads
// - `Watching/`  what the sanitizer and probes add to a kernel; programs without them pay nothing
//
// The operations themselves are C, in `Sources/CLaneKernels`: `lane_elementwise.def` for operations of each lane alone, `lane_special.def` for others,
// compiled once for each instruction set and chosen at run time.
// Rule: no libm, no fused multiply-add, one result for everything undefined (the table is in the article DecisionsCPU).
