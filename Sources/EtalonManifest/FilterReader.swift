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

  /// How an image input is read, where that differs from what the filter says.
  package struct SamplerChange: Sendable, Hashable {
    package var interpolation: Sampler.Interpolation?
    package var address: Sampler.AddressMode?
    package var isFlipped: Bool?

    package init(interpolation: Sampler.Interpolation? = nil, address: Sampler.AddressMode? = nil, isFlipped: Bool? = nil) {
      self.interpolation = interpolation
      self.address = address
      self.isFlipped = isFlipped
    }
  }

  /// What a user says about a filter beside its text.
  package struct Options: Sendable, Hashable {
    /// By the name of the image input.
    package var samplers: [String: SamplerChange] = [:]
    /// Values for constants, as typed; names that are no constants are for others to judge.
    package var values: [String: String] = [:]
    /// Whether `const` is dropped outside of functions: to be tried when the compiler cannot fold an initialiser.
    package var dropsFileScopeConst = false
    /// The dialect, where it is not to be told from the content.
    package var dialect: FilterManifest.Dialect?
    package var limits = TextLimits()

    package init() {}
  }

  private let files: any FileProvider

  /// Prepares to read; included files and those of a project come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a filter; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: Source, options: Options) throws(DiagnosticsError) -> FilterReading {
    switch source {
    case .folder(let path, let name):
      return try project(ShaderToyFolder(path: path, files: files).read(), name, options)
    case .text(let text, let name):
      let form = try DialectRecognition().form(of: text, chosen: options.dialect)
      return try read(text, name, form, options).flippingInputs(options.samplers)
    }
  }

  private func read(
    _ text: SourceText, _ name: String, _ form: FilterForm, _ options: Options
  ) throws(DiagnosticsError) -> FilterReading {
    switch form {
    case .shaderToy:
      let reading = try ShaderToyReader(files: files).read(text, named: name, options: options.shaderToy)
      return FilterReading(manifest: reading.manifest, warnings: reading.warnings)
    case .shaderToyProject: return try project(ShaderToyExport().read(text), name, options)
    case .isf: return try ISFReader(files: files).read(text, named: name, options: options.others)
    case .glTransition: return try GLTransitionReader(files: files).read(text, named: name, options: options.others)
    case .native: return try NativeReader(files: files).read(text, named: name, options: options.others)
    case .compute: return try ComputeReader(files: files).read(text, named: name, options: options.others)
    }
  }

  private func project(
    _ export: ShaderToyExport.Reading, _ name: String, _ options: Options
  ) throws(DiagnosticsError) -> FilterReading {
    let reading = try ShaderToyProjectReader(files: files).read(export.project, named: name, options: options.shaderToy)
    return FilterReading(manifest: reading.manifest, warnings: export.warnings + reading.warnings)
  }
}

extension FilterReading {
  /// The same filter with inputs upside down, or not, as a user asked for; ShaderToy's readers have seen to theirs.
  fileprivate func flippingInputs(_ changes: [String: FilterReader.SamplerChange]) -> FilterReading {
    guard manifest.dialect != .shaderToy else { return self }
    var manifest = manifest
    manifest.inputs = manifest.inputs.map { input in changes[input.name]?.isFlipped.map(input.flipped) ?? input }
    return FilterReading(manifest: manifest, warnings: warnings)
  }
}

extension FilterReader.Options {
  fileprivate var shaderToy: ShaderToyOptions {
    var options = ShaderToyOptions()
    for (name, change) in samplers {
      var channel = ShaderToyOptions.Channel()
      if let interpolation = change.interpolation { channel.sampler.interpolation = interpolation }
      if let address = change.address { channel.sampler.address = address }
      if let isFlipped = change.isFlipped { channel.isFlipped = isFlipped }
      options.channels[name] = channel
    }
    options.values = values
    options.dropsFileScopeConst = dropsFileScopeConst
    options.limits = limits
    return options
  }

  fileprivate var others: ReadingOptions {
    var options = ReadingOptions()
    options.samplers = samplers.mapValues { Sampler($0.interpolation ?? .linear, $0.address ?? .clamp) }
    options.values = values
    options.dropsFileScopeConst = dropsFileScopeConst
    options.limits = limits
    return options
  }
}
