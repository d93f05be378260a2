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
  /// What the filter may name by relative paths.
  package let folder: FolderFiles
}

/// Reads a filter file and compiles its passes for what a request wants to store.
struct FilterLoader {
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
    let text = try FilterText(request.filter)
    var options = FilterReader.Options()
    options.dialect = request.dialect.flatMap(FilterManifest.Dialect.init)
    for setting in request.settings { options.values[setting.name] = setting.value }
    for change in request.samplers { options.samplers[change.input, default: .init()].apply(change) }
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

  private func compile(_ text: FilterText, _ options: FilterReader.Options) throws(CompileError) -> LoadedFilter {
    let reading: FilterReading
    let values: ParameterValues
    do {
      reading = try FilterReader(files: text.files).read(text.source, options: options)
      values = try ParameterValues(options.values, of: reading.manifest)
    } catch {
      throw .diagnostics(error)
    }
    let manifest = (request.eventsFile == nil ? reading.manifest : reading.manifest.drawingKeys).endingInPixels
    let (kernels, warnings) = try compile(manifest, deadline)
    return LoadedFilter(
      manifest: manifest, kernels: kernels, values: values, warnings: reading.warnings + warnings, files: text.paths(of: manifest),
      folder: text.files)
  }

  /// Compiles all passes; what is wrong with any of them is reported together, once where passes share a text.
  private func compile(
    _ manifest: FilterManifest, _ deadline: ContinuousClock.Instant?
  ) throws(CompileError) -> (kernels: [Kernel], warnings: [Diagnostic]) {
    var kernels: [Kernel] = []
    var warnings: [Diagnostic] = []
    var mistakes: [Diagnostic] = []
    for pass in manifest.passes {
      do throws(CompileError) {
        let compiled = try compiler.compile(filter: manifest.name, pass: pass, variant: variant(of: pass, in: manifest), deadline: deadline)
        kernels.append(compiled.kernel)
        warnings += compiled.warnings.filter { !warnings.contains($0) }
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        mistakes += found.diagnostics.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw .diagnostics(DiagnosticsError(mistakes)) }
    do { warnings += try InterfaceCheck(manifest).warnings(kernels) } catch { throw .diagnostics(error) }
    return (kernels, warnings)
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
}

extension RenderRequest {
  /// What the files of a filter say about coverage.
  func alpha(for manifest: FilterManifest) -> AlphaMode { alpha ?? (manifest.alpha == .opaque ? .opaque : .straight) }
}

extension FilterReader.SamplerChange {
  fileprivate mutating func apply(_ change: RenderRequest.SamplerChange) {
    interpolation = change.interpolation ?? interpolation
    address = change.address ?? address
    isFlipped = change.isUpright.map { !$0 } ?? isFlipped
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
