import ArgumentParser

/// Looks for wrong pixels with random programs that are defined to the bit, and for crashes and hangs with damaged files.
///
/// ```sh
/// etalon-fuzz programs --seed 1 --count 20000 --output differences
/// etalon-fuzz programs --seed 4711 --count 1 --devices cpu,vulkan
/// etalon-fuzz check differences/seed-4711.json
/// etalon-fuzz inputs --seed 1 --count 5000 --output defects
/// ```
///
/// A seed becomes a `Specimen`: a `Program`, or a `FilterChain` of several. `Generator` makes it, `ProgramPrinter` writes its GLSL, and `Evaluator`
/// works out its words without any code of the executors. `Laboratory` runs it on every `Subject`; a `Trial` compares, the `Reducer` takes out of a
/// program that differs what it can do without, and a `Campaign` does that for many seeds. Start reading at `Program`: what its nodes mean is what
/// makes every program defined.
///
/// A kind and a seed become a damaged file. `SpecimenTree` has the whole files and damages them, an `InputTrial` reads and runs one as the command
/// `etalon` does, and an `InputCampaign` feeds many to processes of their own. Start reading at `InputKind`.
@main
struct EtalonFuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon-fuzz", abstract: "Looks for wrong pixels, crashes and hangs with random programs and damaged files.",
    subcommands: [ProgramsCommand.self, CheckCommand.self, InputsCommand.self])
}
