package import EtalonDiagnostics
package import EtalonGraph

extension GraphText {
  /// Everything that is wrong with a document, in the order of the text: what reading it found, and then filters, parameters, values and inputs of its nodes, as far as one
  /// mistake does not hide others.
  ///
  /// - Parameter documents: those whose nodes are being loaded, because one applies the other.
  package func allMistakes(_ library: FilterLibrary, within documents: [String] = []) -> [Diagnostic] {
    mistakes.joined(with: mistakesOfNodes(library, documents))
  }

  private func mistakesOfNodes(_ library: FilterLibrary, _ documents: [String]) -> [Diagnostic] {
    do {
      let text = try setting([])
      let request = RenderRequest(graph: text, library: library)
      var assembler = try GraphAssembler(text, library: library, request: request, kernels: nil, within: documents)
      _ = try assembler.prepare()
      return []
    } catch let error as DiagnosticsError {
      return error.diagnostics
    } catch let error as RenderError {
      return error.diagnostics
    } catch {
      return []
    }
  }
}

extension [Diagnostic] {
  /// These and others, in the order of their places; where one of these points already, the others say nothing new.
  package func joined(with others: [Diagnostic]) -> [Diagnostic] {
    let new = others.filter { other in !contains { $0.isAbout(placeOf: other) } }
    return (self + new).sortedByPlace
  }
}

extension Diagnostic {
  /// Whether the first places of two diagnostics overlap.
  fileprivate func isAbout(placeOf other: Diagnostic) -> Bool {
    guard let own = labels.first, let label = other.labels.first, own.source.path == label.source.path else { return self == other }
    return own.range.overlaps(label.range) || own.range == label.range
  }
}
