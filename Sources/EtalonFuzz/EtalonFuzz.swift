// # EtalonFuzz
//
// The command `etalon-fuzz`: looks for wrong pixels with random programs, and for crashes and hangs with damaged files.
//
// Comes in: a seed and a count; for damaged files also the source tree, whose filters, documents, cases and pictures are the whole files.
// Goes out: one line for each difference or defect, and a file with the command that shows it again; exit code 1 where there is one.
// Carried by: `Specimen` (a `RandomProgram`, or a `FilterChain` of several), `Subject` (one way to run it), `Difference`; `DamagedInput`, `InputOutcome`.
// Start reading: `Programs/RandomProgram.swift`, because the meaning of its nodes is what makes every program defined; for files `InputKind` in
// `Inputs/SpecimenTree.swift`.
//
// - `Programs/`  `Generator` makes a program, `ProgramPrinter` writes its GLSL, `ProgramEvaluator` computes its words without any code of the executors,
//                `Laboratory` runs it on every `Subject`, `Trial` compares, `Reducer` removes what a difference does not need
// - `Inputs/`    `SpecimenTree` holds whole files and damages them, `InputTrial` reads and runs one as the command `etalon` does, `InputSlot` runs
//                many in processes of their own
//
// Rule: only `Laboratory` and the commands know the executors.

import ArgumentParser

/// Looks for wrong pixels with random programs that are defined to the bit, and for crashes and hangs with damaged files.
///
/// ```sh
/// etalon-fuzz programs --seed 1 --count 20000 --output differences
/// etalon-fuzz programs --seed 4711 --count 1 --devices cpu,vulkan
/// etalon-fuzz check differences/seed-4711.json
/// etalon-fuzz inputs --seed 1 --count 5000 --output defects
/// ```
@main
struct EtalonFuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon-fuzz", abstract: "Looks for wrong pixels, crashes and hangs with random programs and damaged files.",
    subcommands: [ProgramsCommand.self, ProgramCheckCommand.self, InputsCommand.self])
}
