import ArgumentParser

/// Measures Etalon against what people use otherwise, always within one run.
@main
struct EtalonBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon-bench", abstract: "Measures Etalon against what people use otherwise.",
    subcommands: [
      ExecutorBenchmark.self, WatchBenchmark.self, FusionBenchmark.self, PassesBenchmark.self, PlanBenchmark.self, LaneKernelBenchmark.self,
      ProgramCommand.self,
      PNGBenchmark.self, CompareBenchmark.self, EncodeBenchmark.self, KernelCommand.self,
    ])
}
