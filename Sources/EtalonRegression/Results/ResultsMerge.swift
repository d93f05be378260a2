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
      try checkSelection(of: parts[0], and: (path, part))
      let known = Set(merged.cases.map(\.id))
      if let twice = part.cases.first(where: { known.contains($0.id) }) {
        throw RenderError(
          .invalidInput, "'\(twice.id)' has two results", underlying: "the second is in '\(path)'", help: ["merge each shard once"])
      }
      merged.cases += part.cases
      merged.recorded += part.recorded
      merged.shards += part.shards
      merged.selected = part.selected.map { merged.selected?.joined(with: $0) ?? $0 } ?? merged.selected
      merged.seconds = max(merged.seconds, part.seconds)
      merged.started = min(merged.started, part.started)
    }
    // Each remembers the runs of its own cases only.
    merged.earlier = nil
    try checkComplete(merged.shards)
    merged.cases.sort { $0.id < $1.id }
    return merged
  }

  /// Refuses shards of several runs; whole runs of several things may be put together.
  private static func checkSelection(
    of first: (path: String, results: TestResults), and second: (path: String, results: TestResults)
  ) throws(RenderError) {
    guard !first.results.shards.isEmpty || !second.results.shards.isEmpty else { return }
    guard first.results.shards.isEmpty == second.results.shards.isEmpty else {
      let (whole, part) = first.results.shards.isEmpty ? (first.path, second.path) : (second.path, first.path)
      throw RenderError(
        .invalidInput, "'\(part)' is a shard, and '\(whole)' is a whole run", help: ["merge all shards of one run, and nothing else"])
    }
    guard let one = first.results.selected, let other = second.results.selected, let difference = one.difference(to: other) else { return }
    throw RenderError(
      .invalidInput, "'\(first.path)' and '\(second.path)' are shards of different runs", underlying: difference,
      help: ["run all shards with the same words, on the same files"])
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
