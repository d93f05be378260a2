package import EtalonDiagnostics
internal import EtalonTypes

/// Reads an ISF filter: its header, its fragment half and, beside it, its vertex half.
///
/// ```swift
/// let reading = try ISFReader(files: FolderFiles("filters")).read(source, named: "bloom", options: ReadingOptions())
/// ```
package struct ISFReader: Sendable {
  private let files: any FileProvider

  /// Prepares to read; the vertex half and included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a filter; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: SourceText, named name: String, options: ReadingOptions) throws(DiagnosticsError) -> FilterReading {
    try draft(source, named: name, options: options).reading()
  }

  /// Reads a filter as far as it can be understood.
  func draft(_ source: SourceText, named name: String, options: ReadingOptions) throws(DiagnosticsError) -> FilterDraft {
    let sources = try ISFSources(source, files: files, limits: options.limits)
    let search = try ISFHeaderSearch(source)
    let headerReader = ISFHeaderReader(source, search.comment)
    let header = headerReader.header
    guard sources.includeFaults.isEmpty else {
      return FilterDraft(nil, sources.includeFaults + search.warnings + headerReader.diagnostics)
    }
    let text = ISFText(sources, source, header: search.comment, declared: header.names, options)
    let targets = ISFTargets(header, mentioned: text.names)
    let interface = ISFInterface(header: header, targets: targets.targets, loose: text.loose, samplers: options.samplers)
    let translation = ISFTranslation(text, interface: interface, options: options)
    let passes = passes(targets, translation)
    let cycles = PassCycles(
      passes, targets.targets, help: "add \"PERSISTENT\": true to one of the targets, or change the order of the passes",
      isCertain: ISFPassBranches.decideAll)
    var diagnostics = search.warnings + headerReader.diagnostics + text.diagnostics + interface.diagnostics + cycles.diagnostics
    if !diagnostics.contains(where: { $0.severity == .error }) { diagnostics += interface.unused(translation.mentioned) }
    let manifest = FilterManifest(
      name: name, dialect: .isf, kind: header.kind, about: header.about, inputs: interface.images, parameters: interface.parameters,
      constants: text.constants, targets: targets.targets, passes: passes, alpha: .straight)
    return FilterDraft(manifest, diagnostics)
  }

  /// The passes by the names of their targets; a target that is written twice has a number from then on.
  private func passes(_ targets: ISFTargets, _ translation: ISFTranslation) -> [PassSource] {
    var counts: [String: Int] = [:]
    var passes: [PassSource] = []
    for (index, target) in targets.passes {
      let name = target ?? "image"
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      passes.append(translation.pass(index, named: count > 1 ? "\(name)-\(count)" : name, to: target))
    }
    return passes + (targets.copied.map { [translation.copy(of: $0)] } ?? [])
  }
}
