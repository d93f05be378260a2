internal import EtalonCompiler
package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonMedia
package import EtalonSPIRV
internal import EtalonTypes
internal import Foundation

/// A filter file that was read and compiled.
package struct LoadedFilter: Sendable {
  package let manifest: FilterManifest
  /// One for each pass.
  package let kernels: [Kernel]
  /// What the parameters are for this request.
  package let values: ParameterValues
  package let warnings: [Diagnostic]
  /// The filter file and everything it includes, as paths that can be watched.
  package let files: [String]
}

/// Reads a filter file and compiles its passes for what a request wants to store.
struct FilterLoader {
  /// The largest filter file, in bytes; the manifest has finer limits.
  private static let largestFile = 1 << 22
  /// The id of the one refusal that a second try without `const` can help.
  private static let unfoldableConstant = "glsl.global-const-initializer"

  private let compiler: ShaderCompiler
  private let request: RenderRequest
  private let deadline: ContinuousClock.Instant?

  /// - Parameter deadline: when compiling is given up.
  init(_ request: RenderRequest, compiler: ShaderCompiler, deadline: ContinuousClock.Instant?) {
    self.request = request
    self.compiler = compiler
    self.deadline = deadline
  }

  func load() throws -> LoadedFilter {
    let text = try readText()
    var options = ShaderToyOptions()
    for setting in request.settings { options.values[setting.name] = setting.value }
    for change in request.samplers { options.channels[change.input, default: .init()].apply(change) }
    do throws(CompileError) {
      return try compile(text, options)
    } catch {
      guard case .diagnostics(let refusal) = error, refusal.diagnostics.contains(where: { $0.id == Self.unfoldableConstant }) else {
        throw error.cause
      }
      options.dropsFileScopeConst = true
      do throws(CompileError) { return try compile(text, options) } catch { throw refusal }
    }
  }

  private func compile(_ text: FilterText, _ options: ShaderToyOptions) throws(CompileError) -> LoadedFilter {
    let reading: ShaderToyReader.Reading
    let values: ParameterValues
    do {
      reading = try ShaderToyReader(files: text.includes).read(text.source, named: text.name, options: options)
      values = try ParameterValues(options.values, of: reading.manifest)
    } catch {
      throw .diagnostics(error)
    }
    let manifest = reading.manifest.endingInPixels
    var kernels: [Kernel] = []
    var warnings = reading.warnings
    for pass in manifest.passes {
      let compiled = try compiler.compile(filter: text.name, pass: pass, variant: variant(of: pass, in: manifest), deadline: deadline)
      kernels.append(compiled.kernel)
      warnings += compiled.warnings
    }
    return LoadedFilter(
      manifest: manifest, kernels: kernels, values: values, warnings: warnings, files: text.files(of: manifest))
  }

  private func variant(of pass: PassSource, in manifest: FilterManifest) -> StoreVariant {
    guard pass.coverage == .pixels, pass.target == nil else { return StoreVariant(.texture, alpha: .asReturned) }
    let alpha: StoreVariant.Alpha =
      switch (request.alpha(for: manifest), manifest.alpha) {
      case (.opaque, _): .opaque
      case (.straight, .premultiplied): .divide
      case (.premultiplied, .straight), (.premultiplied, .opaque): .multiply
      case (.straight, _), (.premultiplied, .premultiplied): .asReturned
      }
    return StoreVariant(request.bits == 16 ? .packed16 : .packed8, alpha: alpha)
  }

  private func readText() throws -> FilterText {
    switch request.filter {
    case .standardInput:
      let bytes: [UInt8]
      do { bytes = Array(try FileHandle.standardInput.read(upToCount: Self.largestFile + 1) ?? Data()) } catch {
        throw RenderError(.missingInput, "cannot read standard input", underlying: "\(error)")
      }
      guard bytes.count <= Self.largestFile else {
        throw RenderError(.invalidInput, "standard input is larger than \(Self.largestFile >> 20) MiB")
      }
      return FilterText(source: try TextCheck.text("<stdin>", bytes), name: "stdin", folder: "", isFile: false)
    case .file(let path):
      let bytes = try FileReader.bytes(of: path, limit: Self.largestFile)
      let file = URL(filePath: path)
      return FilterText(
        source: try TextCheck.text(path, bytes), name: file.deletingPathExtension().lastPathComponent,
        folder: String(path.dropLast(file.lastPathComponent.count)), isFile: true)
    }
  }
}

/// The text of a filter with where it came from.
private struct FilterText {
  let source: SourceText
  let name: String
  /// The folder that includes are looked up in, with its final slash; empty for the working folder.
  let folder: String
  let isFile: Bool

  var includes: any FileProvider { FolderFiles(folder) }

  /// The paths of the texts that tokens of the passes come from.
  func files(of manifest: FilterManifest) -> [String] {
    let origins = manifest.passes.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } }
    return Set(origins).union([source.path]).subtracting(isFile ? [] : [source.path]).sorted()
  }
}

extension RenderRequest {
  /// What the files of a filter say about coverage.
  func alpha(for manifest: FilterManifest) -> AlphaMode { alpha ?? (manifest.alpha == .opaque ? .opaque : .straight) }
}

extension ShaderToyOptions.Channel {
  fileprivate mutating func apply(_ change: RenderRequest.SamplerChange) {
    if let interpolation = change.interpolation { sampler.interpolation = interpolation }
    if let address = change.address { sampler.address = address }
    if let isUpright = change.isUpright { isFlipped = !isUpright }
  }
}

extension CompileError {
  /// The error that callers of the loader see.
  fileprivate var cause: any Error {
    switch self {
    case .diagnostics(let error): error
    case .failure(let error): error
    }
  }
}
