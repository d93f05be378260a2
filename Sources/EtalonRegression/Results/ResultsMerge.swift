package import EtalonDiagnostics

/// Puts the results of several runs together, such as those of all shards.
package enum ResultsMerge {
  /// Refuses runs on different devices, a case that ran twice, and shards that are not complete.
  package static func merge(_ parts: [(path: String, results: TestResults)]) throws(RenderError) -> TestResults {
    guard var merged = parts.first?.results else {
      throw RenderError(.usage, "there are no results to merge", help: ["name several files"])
    }
    for (path, part) in parts.dropFirst() {
      guard part.device == merged.device else {
        throw RenderError(
          .invalidInput, "'\(parts[0].path)' and '\(path)' come from different devices",
          underlying: "\(merged.device.device) and \(part.device.device)",
          help: ["merge the results of each device by themselves"])
      }
      let known = Set(merged.cases.map(\.id))
      if let twice = part.cases.first(where: { known.contains($0.id) }) {
        throw RenderError(
          .invalidInput, "'\(twice.id)' has two results", underlying: "the second is in '\(path)'", help: ["merge each shard once"])
      }
      merged.cases += part.cases
      merged.recorded += part.recorded
      merged.shards += part.shards
      merged.seconds = max(merged.seconds, part.seconds)
      merged.started = min(merged.started, part.started)
    }
    // Each remembers the runs of its own cases only.
    merged.earlier = nil
    try checkComplete(merged.shards)
    merged.cases.sort { $0.id < $1.id }
    return merged
  }

  private static func checkComplete(_ shards: [TestResults.Shard]) throws(RenderError) {
    guard let first = shards.first else { return }
    let counts = Set(shards.map(\.count))
    let missing = Set(1...first.count).subtracting(shards.map(\.index)).sorted()
    guard counts.count == 1, missing.isEmpty else {
      let reason =
        counts.count > 1 ? "they are parts of different runs" : "missing: \(missing.map { "\($0)/\(first.count)" }.joined(separator: ", "))"
      throw RenderError(.invalidInput, "the shards are not complete", underlying: reason, help: ["merge all shards of one run"])
    }
  }
}
