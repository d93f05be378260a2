internal import EtalonCompiler
import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// A filter of a library or of a file: what it is called, the pictures that it reads, and what can be set.
///
/// ```swift
/// let blur = try FilterLibrary.builtIn["gaussian-blur"]
/// blur.parameters.map(\.name)   // ["sigma", "edges"]
/// ```
///
/// The file was read but not compiled: what the compiler refuses is told when an image with the filter is rendered. Two filters are equal when
/// their texts are.
///
/// **Concurrency**: an immutable value with shared storage.
public struct Filter: Sendable, Hashable {
  /// What a filter is used for; it follows from the pictures that it reads.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Reads no picture.
    case generator
    /// Changes a picture.
    case filter
    /// Puts a picture over another one.
    case composite
    /// Leads from one picture to another while its progress goes from 0 to 1.
    case transition
  }

  /// A picture that a filter reads.
  public struct Input: Sendable, Hashable {
    /// The name in the filter's text, such as `inputImage`.
    public let name: String
    /// What people call it.
    public let label: String?
    /// How the text reads it.
    public let shape: TextureShape
    /// Whether `applying` refuses to do without; other pictures come with the filter.
    public let isRequired: Bool
  }

  /// A value that a filter expects from outside, with what it may be.
  public struct Parameter: Sendable, Hashable {
    /// One of the values of a parameter that is a choice.
    public struct Choice: Sendable, Hashable {
      /// The number that the filter's text sees.
      public let value: Int
      /// What can be assigned.
      public let label: String
    }

    /// The name in the filter's text.
    public let name: String
    /// What people call it.
    public let label: String?
    /// One sentence about it.
    public let help: String?
    /// What the numbers mean.
    public let kind: ParameterKind
    /// What it is while nothing is assigned; for one that follows a clock what the clock starts with.
    public let defaultValue: Value
    /// The smallest value of each component; nil where there is none.
    public let minimum: Value?
    /// The largest value of each component; nil where there is none.
    public let maximum: Value?
    /// Values are the minimum (or 0) plus a multiple of it; nil where there is none.
    public let step: Double?
    /// What the numbers measure: `px`, `deg`, `s`, or `normalized` for fractions of the picture's sides; nil where nothing is said.
    public let unit: String?
    /// Whether a clock gives the value while nothing is assigned.
    public let followsClock: Bool
    /// What can be assigned to a choice, in the order in which they are offered; empty otherwise.
    public let choices: [Choice]
  }

  /// What makes the picture.
  enum Content: Sendable, Hashable {
    case filter(GraphFilter)
    /// The nodes of a graph document.
    case graph(GraphAssembly)
  }

  /// Nil for a graph document, and for a filter of Etalon's own.
  private let file: FilterText?
  let manifest: FilterManifest
  let content: Content
  let pictures: BroughtPictures
  /// The further output that is the result; nil is the filter's own.
  private let shown: String?
  /// What was found while reading that is worth saying but stops nothing.
  public let warnings: [Diagnostic]

  /// Reads a filter file of any dialect, or the folder of a ShaderToy project.
  ///
  /// Throws `DiagnosticsError` for what its author wrote, with places, and `RenderError` for a file that cannot be read.
  /// The nodes of a graph document find their filters among those that Etalon ships.
  public init(contentsOf path: String) throws { try self.init(contentsOf: path, library: .builtIn) }

  /// Reads a filter file, or a graph document whose nodes find their filters in a library.
  init(contentsOf path: String, library: FilterLibrary) throws {
    guard GraphDocument.isGraph(path) else {
      try self.init(FilterText(.file(path)), constants: [:])
      return
    }
    let text = try GraphDocument.read(path, library: library).setting([])
    let request = RenderRequest(graph: text, library: library)
    self.init(try GraphAssembler(text, library: library, request: request, kernels: nil).assembly())
  }

  private init(_ assembly: GraphAssembly) {
    file = nil
    shown = nil
    manifest = assembly.manifest
    content = .graph(assembly)
    pictures = BroughtPictures(FolderFiles(""))
    warnings = assembly.warnings
  }

  private init(_ file: FilterText, constants: [String: String]) throws {
    var options = FilterReader.Options()
    options.values = constants
    let reading = try file.reading(options)
    options.dropsFileScopeConst = true
    // Some drivers take constants that the specification does not: the text without the word stands by.
    let lenient = try? FilterReader(files: file.files).read(file.source, options: options)
    self.file = file
    shown = nil
    manifest = reading.manifest
    content = .filter(GraphFilter(reading.manifest, alternative: lenient.map { GraphFilter($0.manifest) }))
    pictures = BroughtPictures(file.files)
    warnings = reading.warnings
  }

  /// A filter of Etalon's own.
  init(_ graphFilter: GraphFilter) {
    file = nil
    shown = nil
    manifest = graphFilter.manifest
    content = .filter(graphFilter)
    pictures = BroughtPictures(FolderFiles(""))
    warnings = []
  }

  /// The same filter with other values for constants of its text.
  func setting(constants: [String: String]) throws -> Filter {
    guard let file, !constants.isEmpty else { return self }
    let changed = try Filter(file, constants: constants)
    return try shown.map { name throws(DiagnosticsError) in try changed.showing(name) } ?? changed
  }

  /// The same filter with another result.
  private init(_ filter: Filter, content: Content, shown: String) {
    (file, manifest, pictures, warnings) = (filter.file, filter.manifest, filter.pictures, filter.warnings)
    (self.content, self.shown) = (content, shown)
  }

  /// The same filter with another of its results.
  ///
  /// ```swift
  /// let matte = try plate.applying(library["keyer"].showing("matte"))
  /// ```
  /// Throws `DiagnosticsError` for a name that is not among ``outputs``, with the nearest one.
  public func showing(_ output: String) throws(DiagnosticsError) -> Filter {
    guard outputs.contains(output) else {
      throw DiagnosticsError(
        Diagnostic(
          "output.unknown", "'\(name)' has no output '\(output)'",
          help: [
            NearestName.find(output, in: outputs).map { "did you mean '\($0)'?" } ?? "its outputs are \(outputs.joined(separator: ", "))"
          ]))
    }
    guard output != outputs[0] else { return self }
    switch content {
    case .graph(let assembly): return Filter(self, content: .graph(assembly.showing(output)), shown: output)
    case .filter(let filter):
      let lenient = filter.alternative.map { GraphFilter($0.manifest.showing(output)) }
      return Filter(self, content: .filter(GraphFilter(manifest.showing(output), alternative: lenient)), shown: output)
    }
  }

  /// Whether the texts are equal.
  public static func == (one: Filter, other: Filter) -> Bool { one.content == other.content }

  /// Adds the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension Filter {
  /// The name of the file without its extension, in kebab-case.
  public var name: String { manifest.name }

  /// What the filter is used for.
  public var kind: Kind {
    switch manifest.kind {
    case .generator: .generator
    case .filter: .filter
    case .composite: .composite
    case .transition: .transition
    }
  }

  /// What the author says about it.
  public var summary: String? { manifest.about.description }

  /// The pictures that its text reads, in the order of their declaration.
  public var inputs: [Input] {
    manifest.inputs.map { Input(name: $0.name, label: $0.label, shape: $0.shape, isRequired: $0.needsPicture) }
  }

  /// What its results are called, the main one first: what ``showing(_:)`` takes, and for a graph document the names of its outputs.
  public var outputs: [String] {
    switch content {
    case .filter: [manifest.mainOutput] + manifest.furtherOutputs
    case .graph(let assembly): assembly.outputs
    }
  }

  /// The values that can be assigned, in the order of their declaration.
  public var parameters: [Parameter] {
    manifest.parameters.map { parameter in
      Parameter(
        name: parameter.name, label: parameter.label, help: parameter.help, kind: parameter.kind, defaultValue: parameter.defaultValue,
        minimum: parameter.minimum, maximum: parameter.maximum, step: parameter.step, unit: parameter.unit?.rawValue,
        followsClock: parameter.followsClock, choices: parameter.choices.map { Parameter.Choice(value: $0.value, label: $0.label) })
    }
  }
}
