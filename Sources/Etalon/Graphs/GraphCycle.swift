internal import EtalonDiagnostics
internal import EtalonGraph

/// Finds documents that apply each other, which no picture could come out of.
enum GraphCycle {
  /// What is wrong when a node of the last of some documents applies a document; nil when nothing is.
  static func documents(_ documents: [String], applying path: String, at word: GraphText.Word) -> Diagnostic? {
    let wanted = place(path)
    guard let start = documents.firstIndex(where: { place($0) == wanted }) else { return nil }
    let names = (documents[start...] + [path]).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return Diagnostic(
      "graph.document-cycle",
      names.count == 2 ? "'\(names[0])' applies itself" : "documents apply each other: \(names.joined(separator: " -> "))",
      labels: [word.label("applied again")], help: ["apply another filter here, or read what a node showed a frame ago with 'previous'"])
  }

  private static func place(_ path: String) -> String { LibraryScan.realPath(path) ?? path }
}
