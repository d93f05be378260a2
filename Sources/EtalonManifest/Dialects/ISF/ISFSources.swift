internal import EtalonDiagnostics

/// The texts of a filter: the fragment half that the user named, and the vertex half that lies beside it.
struct ISFSources {
  let fragment: [Token]
  /// What is wrong with the includes of both.
  let includeFaults: [Diagnostic]
  /// Nil when there is no file.
  let vertex: (tokens: [Token], source: SourceText)?

  /// Reads both and expands their includes, if they keep within the limits.
  init(_ source: SourceText, files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    let half = try ExpandedText(source, files: files, limits: limits)
    fragment = half.tokens
    guard let beside = try Self.vertexText(beside: source, files, limits) else {
      vertex = nil
      includeFaults = half.includeFaults
      return
    }
    let otherHalf = try ExpandedText(beside, files: files, limits: limits)
    vertex = (otherHalf.tokens, beside)
    includeFaults = half.includeFaults + otherHalf.includeFaults
  }

  /// The file with the same name and the extension `vs` or `vert`.
  private static func vertexText(
    beside source: SourceText, _ files: any FileProvider, _ limits: TextLimits
  ) throws(DiagnosticsError) -> SourceText? {
    let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { $0 + "/" }.joined()
    guard let file = parts.last, let dot = file.lastIndex(of: "."), dot != file.startIndex else { return nil }
    for fileExtension in ["vs", "vert"] {
      let name = file[..<dot] + "." + fileExtension
      do throws(FileProblem) {
        return SourceText(path: folder + name, bytes: try files.bytes(at: String(name), atMost: limits.bytes))
      } catch {
        if error == .missing { continue }
        throw DiagnosticsError(unreadable(String(name), error, source, limits))
      }
    }
    return nil
  }

  private static func unreadable(_ name: String, _ problem: FileProblem, _ source: SourceText, _ limits: TextLimits) -> Diagnostic {
    let why =
      switch problem {
      case .missing: "no such file"
      case .outside: "a link that leads out of the folder"
      case .tooLarge: "more than \(limits.bytes) bytes"
      case .unreadable(let why): why
      }
    return Diagnostic("isf.vertex-half", "cannot read the vertex half '\(name)': \(why)", labels: [.init(source, 0..<0)])
  }
}
