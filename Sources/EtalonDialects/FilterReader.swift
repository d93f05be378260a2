package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
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

  /// What is made of a filter.
  package enum Part: Sendable, Hashable {
    case pictures
    /// Sound: blocks of samples as pictures (`ShaderToySound`).
    case sound
  }

  /// What a user says about a filter beside its text.
  package struct Options: Sendable, Hashable {
    /// How image inputs are read, by name; what a change leaves open is as the file says, or as the dialect has it.
    package var samplers: [String: SamplerChange] = [:]
    /// Values for constants, as typed; names that are no constants are ignored here.
    package var values: [String: String] = [:]
    /// Whether `const` is dropped outside of functions, which helps when the compiler cannot fold an initialiser.
    package var dropsFileScopeConst = false
    /// The dialect; nil to tell it from the content.
    package var dialect: FilterManifest.Dialect?
    package var limits = TextLimits()
    package var part = Part.pictures

    package init() {}
  }

  private let files: any FileProvider

  /// Prepares to read; included files and those of a project come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a filter; everything that is wrong with it is reported together, as far as one error does not hide others.
  package func read(_ source: Source, options: Options) throws(DiagnosticsError) -> FilterReading {
    try draft(source, options: options).reading().markingReads
  }

  /// Reads a filter as far as it can be understood; throws what is wrong when no part of it can be.
  package func draft(_ source: Source, options: Options) throws(DiagnosticsError) -> FilterDraft {
    switch source {
    case .folder(let path, let name): try project(ShaderToyFolder(path: path, files: files).draft(), name, options)
    case .text(let text, let name): try draft(text, name, options)
    }
  }

  private func draft(_ text: SourceText, _ name: String, _ options: Options) throws(DiagnosticsError) -> FilterDraft {
    let reader: any DialectReader
    let form = try DialectRecognition().form(of: text, chosen: options.dialect)
    if options.part == .sound, form != .shaderToyProject, form != .shaderToy {
      throw ShaderToySound.none(name, "it is \(form.title), and only ShaderToys do")
    }
    switch form {
    case .shaderToyProject: return try project(ShaderToyExport().draft(text), name, options)
    case .shaderToy: return try shaderToy(text, name, options)
    case .isf: reader = ISFReader(files: files)
    case .glTransition: reader = GLTransitionReader(files: files)
    case .native: reader = NativeReader(files: files)
    case .fragment: reader = FragmentReader(files: files)
    case .compute: reader = ComputeReader(files: files)
    }
    return try reader.draft(text, named: name, options: options)
  }

  /// A file alone, or with the files that it names as its passes, and with the Common that lies beside a pass of a folder.
  private func shaderToy(_ text: SourceText, _ name: String, _ options: Options) throws(DiagnosticsError) -> FilterDraft {
    let common = try PassFiles.common(beside: text, files)
    if options.part == .sound { return try sound(text, after: common, name, options) }
    if let noPicture = ShaderToySound.noPicture(text, after: common, files, options.limits) { throw DiagnosticsError(noPicture) }
    if let passes = try LooseProject(text, files: files).read() {
      return try ShaderToyProjectReader(files: files).draft(passes.after(common), named: name, options: options)
    }
    guard !common.isEmpty else { return try ShaderToyReader(files: files).draft(text, named: name, options: options) }
    let project = ShaderToyProject(passes: [.init(name: .image, text: text)], isConnected: false)
    return try ShaderToyProjectReader(files: files).draft(project.after(common), named: name, options: options)
  }

  /// A text alone whose `mainSound` is heard.
  private func sound(
    _ text: SourceText, after common: [SourceText], _ name: String, _ options: Options
  ) throws(DiagnosticsError) -> FilterDraft {
    guard Lexer.tokens(of: text).contains(where: { $0.isName(ShaderToySound.function) }) else {
      throw ShaderToySound.none(name, "its text has no function 'mainSound'")
    }
    let project = ShaderToyProject(passes: [.init(name: .sound, text: text)], isConnected: false, mainPass: .sound)
    return try ShaderToyProjectReader(files: files).draft(project.after(common), named: name, options: options)
  }

  /// What is wrong with the texts of the passes is told together with what is wrong around them.
  private func project(
    _ draft: ShaderToyExport.Draft, _ name: String, _ options: Options
  ) throws(DiagnosticsError) -> FilterDraft {
    guard let project = draft.project else { throw DiagnosticsError(draft.diagnostics) }
    let inner = try ShaderToyProjectReader(files: files).draft(project, named: name, options: options)
    let isRight = !draft.diagnostics.contains { $0.severity == .error }
    // Warnings may be consequences of the errors.
    let found = isRight ? inner.diagnostics : inner.diagnostics.filter { $0.severity == .error }
    return FilterDraft(inner.manifest, (draft.diagnostics + found).withoutRepetitions.inOrderOfPlaces)
  }
}

/// Reads the filter files of one dialect.
package protocol DialectReader: Sendable {
  /// Prepares to read; included files, and others that belong to a text, come from `files`.
  init(files: any FileProvider)

  /// Reads a text as far as it can be understood.
  func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft
}

extension DialectReader {
  /// Reads a text; everything that is wrong with it is reported together, as far as one diagnostic does not hide others.
  package func read(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterReading {
    try draft(source, named: name, options: options).reading()
  }
}
