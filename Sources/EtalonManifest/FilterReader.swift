package import EtalonDiagnostics
package import EtalonTypes

/// Reads a filter file of any dialect.
///
/// ```swift
/// let reading = try FilterReader(files: FolderFiles("shaders")).read(.text(source, named: "plasma"), options: FilterReader.Options())
/// ```
package struct FilterReader: Sendable {
  /// What is read.
  package enum Source: Sendable {
    /// A file, or a text that has none.
    case text(SourceText, named: String)
    /// A folder that holds the files of a project.
    case folder(path: String, named: String)
  }

  /// What a user says about a filter beside its text.
  package struct Options: Sendable, Hashable {
    /// By the name of the image input.
    package var samplers: [String: SamplerChange] = [:]
    /// Values for constants, as typed; names that are no constants are ignored here.
    package var values: [String: String] = [:]
    /// Whether `const` is dropped outside of functions, which helps when the compiler cannot fold an initialiser.
    package var dropsFileScopeConst = false
    /// The dialect; nil to tell it from the content.
    package var dialect: FilterManifest.Dialect?
    package var limits = TextLimits()

    package init() {}
  }

  private let files: any FileProvider

  /// Prepares to read; included files and those of a project come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a filter; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: Source, options: Options) throws(DiagnosticsError) -> FilterReading {
    try draft(source, options: options).reading().markingUnreadInputs
  }

  /// Reads a filter as far as it can be understood; throws what is wrong when no part of it can be.
  package func draft(_ source: Source, options: Options) throws(DiagnosticsError) -> FilterDraft {
    switch source {
    case .folder(let path, let name): try project(ShaderToyFolder(path: path, files: files).draft(), name, options)
    case .text(let text, let name): try draft(text, name, options)
    }
  }

  private func draft(_ text: SourceText, _ name: String, _ options: Options) throws(DiagnosticsError) -> FilterDraft {
    switch try DialectRecognition().form(of: text, chosen: options.dialect) {
    case .shaderToyProject: try project(ShaderToyExport().draft(text), name, options)
    case .shaderToy: try shaderToy(text, name, options)
    case .isf: try ISFReader(files: files).draft(text, named: name, options: options.general)
    case .glTransition: try GLTransitionReader(files: files).draft(text, named: name, options: options.general)
    case .native: try NativeReader(files: files).draft(text, named: name, options: options.general)
    case .compute: try ComputeReader(files: files).draft(text, named: name, options: options.general)
    }
  }

  /// A file alone, or with the files that it names as its passes.
  private func shaderToy(_ text: SourceText, _ name: String, _ options: Options) throws(DiagnosticsError) -> FilterDraft {
    if let passes = try LooseProject(text, files: files).read() {
      return ShaderToyProjectReader(files: files).draft(passes, named: name, options: options.shaderToy)
    }
    return try ShaderToyReader(files: files).draft(text, named: name, options: options.shaderToy)
  }

  /// What is wrong with the texts of the passes is told together with what is wrong around them.
  private func project(
    _ draft: ShaderToyExport.Draft, _ name: String, _ options: Options
  ) throws(DiagnosticsError) -> FilterDraft {
    guard let project = draft.project else { throw DiagnosticsError(draft.diagnostics) }
    let inner = ShaderToyProjectReader(files: files).draft(project, named: name, options: options.shaderToy)
    let isRight = !draft.diagnostics.contains { $0.severity == .error }
    // Warnings may be consequences of the errors.
    let found = isRight ? inner.diagnostics : inner.diagnostics.filter { $0.severity == .error }
    return FilterDraft(inner.manifest, (draft.diagnostics + found).withoutRepetitions.inOrderOfPlaces)
  }
}

extension FilterReader.Options {
  /// For all dialects but the one of ShaderToy.
  fileprivate var general: ReadingOptions {
    var options = ReadingOptions()
    options.samplers = samplers
    options.values = values
    options.dropsFileScopeConst = dropsFileScopeConst
    options.limits = limits
    return options
  }

  fileprivate var shaderToy: ShaderToyOptions {
    var options = ShaderToyOptions()
    options.channels = samplers
    options.values = values
    options.dropsFileScopeConst = dropsFileScopeConst
    options.limits = limits
    return options
  }
}

// MARK: - what a reader hands on

/// A filter as far as its text could be understood, with everything that was found.
package struct FilterDraft: Sendable {
  /// Nil when too little was understood to compile anything; one whose diagnostics hold errors must not be rendered.
  package let manifest: FilterManifest?
  /// Errors, warnings and notes.
  package let diagnostics: [Diagnostic]

  init(_ manifest: FilterManifest?, _ diagnostics: [Diagnostic]) {
    self.manifest = manifest
    self.diagnostics = diagnostics
  }

  /// Whether nothing is wrong.
  var isRight: Bool { manifest != nil && !diagnostics.contains { $0.severity == .error } }

  /// The filter; throws everything that was found when some of it is wrong.
  func reading() throws(DiagnosticsError) -> FilterReading {
    guard isRight, let manifest else { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    return FilterReading(manifest: manifest, warnings: diagnostics.inOrderOfPlaces)
  }
}

/// A manifest and what a user should know about it.
package struct FilterReading: Sendable {
  package let manifest: FilterManifest
  package let warnings: [Diagnostic]

  package init(manifest: FilterManifest, warnings: [Diagnostic]) {
    self.manifest = manifest
    self.warnings = warnings
  }
}

// MARK: - options of the dialects

/// What a user says about a filter file beside its text.
package struct ReadingOptions: Sendable, Hashable {
  /// How image inputs are read, by name, where that differs from what the dialect or the file says.
  package var samplers: [String: SamplerChange] = [:]
  /// Values for constants of the text, as the user typed them; names that are no constants are ignored here.
  package var values: [String: String] = [:]
  /// Whether `const` is dropped outside of functions, which helps when the compiler cannot fold an initialiser.
  package var dropsFileScopeConst = false
  package var limits = TextLimits()

  package init() {}
}

extension FilterInput {
  /// The same input, read as the user says.
  func changed(by change: SamplerChange?) -> FilterInput {
    guard let change else { return self }
    return FilterInput(
      name: name, label: label, origin: origin, shape: shape, sampler: change.applied(to: sampler),
      isFlipped: change.isFlipped ?? isFlipped,
      space: space, alpha: alpha, sound: sound, place: place)
  }
}

// MARK: - order of diagnostics

extension [Diagnostic] {
  /// The diagnostics file by file, each from top to bottom; those without a place come first.
  package var inOrderOfPlaces: [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> (path: String, offset: Int) {
      diagnostic.labels.first.map { ($0.source.path, $0.range.lowerBound) } ?? ("", 0)
    }
    return enumerated().sorted { a, b in
      let (first, second) = (key(a.element), key(b.element))
      return first == second ? a.offset < b.offset : first < second
    }.map(\.element)
  }
}
