package import EtalonDiagnostics
internal import EtalonManifest

extension GraphDocumentReader {
  /// Whether a text is a graph document: its name says YAML or JSON, and it has the key `etalon` beside nodes or outputs.
  ///
  /// A text with mistakes is still a graph, so that its mistakes are told as those of a graph.
  package static func recognizes(_ source: SourceText) -> Bool {
    guard extensions.contains(where: { source.path.lowercased().hasSuffix("." + $0) }), source.bytes.count <= YAMLReader.mostBytes else {
      return false
    }
    let keys: Set<String>
    do throws(DiagnosticsError) { keys = Set(try tree(of: source).members?.map(\.key) ?? []) } catch {
      keys = wordsBeforeColons(of: source)
    }
    return keys.contains("etalon") && !keys.isDisjoint(with: ["nodes", "outputs", "inputs", "parameters", "include"])
  }

  /// Whether a text is a graph document that libraries offer as a filter: one with parameters, or with inputs that it leaves open.
  package static func recognizesFilter(_ source: SourceText) -> Bool {
    guard recognizes(source) else { return false }
    let members: [LocatedNode.Member]
    do throws(DiagnosticsError) { members = try tree(of: source).members ?? [] } catch {
      return wordsBeforeColons(of: source).contains("parameters")
    }
    let inputs = members.first { $0.key == "inputs" }?.value.members ?? []
    return members.contains { $0.key == "parameters" } || inputs.contains { $0.value.scalar == openInput }
  }

  /// What looks like keys in a text that cannot be read.
  private static func wordsBeforeColons(of source: SourceText) -> Set<String> {
    Set(
      (1...source.lineCount).flatMap { number in
        source.line(number).split(separator: ",").compactMap { part in
          part.firstIndex(of: ":").map { String(part[..<$0].filter { !" \t{}\"'".contains($0) }) }
        }
      })
  }
}
