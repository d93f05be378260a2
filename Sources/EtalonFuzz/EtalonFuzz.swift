import ArgumentParser

/// Looks for wrong pixels with random programs that are defined to the bit.
///
/// ```sh
/// etalon-fuzz programs --seed 1 --count 20000 --output differences
/// etalon-fuzz programs --seed 4711 --count 1 --devices cpu,vulkan
/// etalon-fuzz check differences/seed-4711.json
/// ```
///
/// A seed becomes a `Specimen`: a `Program`, or a `FilterChain` of several. `Generator` makes it, `ProgramPrinter` writes its GLSL, and `Evaluator`
/// works out its words without any code of the executors. `Laboratory` runs it on every `Subject`; a `Trial` compares, the `Reducer` takes out of a
/// program that differs what it can do without, and a `Campaign` does that for many seeds. Start reading at `Program`: what its nodes mean is what
/// makes every program defined.
@main
struct EtalonFuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon-fuzz", abstract: "Looks for wrong pixels with random programs that are defined to the bit.",
    subcommands: [ProgramsCommand.self, CheckCommand.self])
}
