import EtalonDiagnostics
import EtalonManifest

/// What the outputs of a filter are called.
struct OutputNames {
  private let manifest: FilterManifest

  init(_ manifest: FilterManifest) { self.manifest = manifest }

  /// Those of the wanted outputs that are not the result, each once; names that the filter does not have are refused.
  func further(of wanted: [String]) throws(DiagnosticsError) -> [String] {
    let names = [manifest.mainOutput] + manifest.furtherOutputs
    let unknown = wanted.filter { !names.contains($0) }
    guard unknown.isEmpty else { throw DiagnosticsError(unknown.map { refusal($0, names) }) }
    return manifest.furtherOutputs.filter(wanted.contains)
  }

  private func refusal(_ name: String, _ names: [String]) -> Diagnostic {
    let others = names.map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic(
      "output.unknown", "'\(manifest.name)' has no output '\(name)', which '--output' names",
      help: [
        NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
          ?? (names.count == 1 ? "its only output is \(others)" : "its outputs are \(others)"),
        "a file with '=' in its name is written './\(name)=…'",
      ])
  }
}
