internal import EtalonCompiler
package import EtalonDiagnostics
package import EtalonGraph
package import EtalonManifest
internal import EtalonMedia
internal import EtalonSPIRV
internal import EtalonTypes
internal import Foundation

/// A filter file that was read and compiled.
package struct LoadedFilter: Sendable {
  package let manifest: FilterManifest
  /// What the parameters are for this request.
  package let values: ParameterValues
  /// Those that change over time.
  package let animated: [String: AnimatedValue]
  package let warnings: [Diagnostic]
  /// The filter file and everything it includes, as paths that can be watched.
  package let files: [String]
  /// What the filter may name by relative paths.
  package let folder: FolderFiles
  /// The same filter read more leniently, for when the compiler refuses this one; nil where the compiler was asked already.
  var lenient: FilterManifest?
}

/// Reads a filter file, and compiles its passes unless somebody else does so later.
struct FilterLoader {
  /// What a person asked of one filter.
  struct Wish: Sendable {
    var location: RenderRequest.FilterLocation
    var dialect: FilterManifest.Dialect?
    var settings: [RenderRequest.Setting] = []
    var samplers: [RenderRequest.SamplerChange] = []
    /// Whether what the keys do is known, so that pictures of the keyboard are drawn.
    var drawsKeys = false
    /// The outputs that are wanted beside the result.
    var outputs: [String] = []
    /// Whether settings may be pictures for image inputs, which others look at.
    var namesPictures = false
    /// What relative paths of values start from, with a slash at its end; empty is the working folder.
    var folder = ""
    /// How the result is stored; nil stores a texture.
    var output: (format: PixelFormat, alpha: AlphaMode?)?
  }

  /// The id of the one refusal that a second try without `const` can help.
  private static let unfoldableConstant = "glsl.global-const-initializer"

  private let wish: Wish
  private let kernels: KernelStore?
  private let settings: TypedSettings

  /// - Parameter kernels: nil compiles nothing.
  init(_ wish: Wish, kernels: KernelStore?) {
    self.wish = wish
    self.kernels = kernels
    settings = TypedSettings(wish.settings)
  }

  func load() throws -> LoadedFilter {
    let text = try FilterText(wish.location)
    var options = FilterReader.Options()
    options.dialect = wish.dialect
    options.values = settings.literals
    for change in wish.samplers { options.samplers[change.input, default: .init()].apply(change) }
    do throws(CompileError) {
      var filter = try compile(text, options)
      guard kernels == nil else { return filter }
      options.dropsFileScopeConst = true
      filter.lenient = try? compile(text, options).manifest
      return filter
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
    do { reading = try FilterReader(files: text.files).read(text.source, options: options) } catch {
      throw .diagnostics(settings.placed(error))
    }
    let tracks = TrackFolder(wish.folder)
    let pictures = wish.namesPictures ? reading.manifest.channelNames : []
    let (values, animated) = try settings.values(for: reading.manifest, tracks: tracks, except: pictures)
    let outputs: [String]
    do { outputs = try OutputNames(reading.manifest).further(of: wish.outputs) } catch { throw .diagnostics(error) }
    let manifest = (wish.drawsKeys ? reading.manifest.drawingKeys : reading.manifest).endingInPixels(with: outputs)
    let warnings = try kernels.map { kernels throws(CompileError) in try compile(manifest, kernels) } ?? []
    return LoadedFilter(
      manifest: manifest, values: values, animated: animated, warnings: reading.warnings + warnings,
      files: text.paths(of: manifest) + tracks.files, folder: text.files)
  }

  /// Compiles all passes; what is wrong with any of them is reported together, once where passes share a text.
  private func compile(_ manifest: FilterManifest, _ kernels: KernelStore) throws(CompileError) -> [Diagnostic] {
    var compiledPasses: [Kernel] = []
    var warnings: [Diagnostic] = []
    var mistakes: [Diagnostic] = []
    for pass in manifest.passes {
      do throws(CompileError) {
        let compiled = try kernels.compiled(pass, in: manifest.name, storing: variant(of: pass, in: manifest))
        compiledPasses.append(compiled.kernel)
        warnings += compiled.warnings.filter { !warnings.contains($0) }
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        mistakes += found.diagnostics.filter { !mistakes.contains($0) }
      }
    }
    guard mistakes.isEmpty else { throw .diagnostics(DiagnosticsError(mistakes)) }
    do { warnings += try InterfaceCheck(manifest).warnings(compiledPasses) } catch { throw .diagnostics(error) }
    return warnings
  }

  private func variant(of pass: PassSource, in manifest: FilterManifest) -> StoreVariant {
    guard let output = wish.output, pass.coverage == .pixels, pass.target == nil else { return StoreVariant(.texture, alpha: .asReturned) }
    return StoreVariant(of: manifest.alpha, as: output.format, output.alpha ?? manifest.usualAlpha)
  }
}

extension FilterManifest {
  /// What files of the result say about coverage unless a person says otherwise.
  var usualAlpha: AlphaMode { alpha == .opaque ? .opaque : .straight }
}

extension RenderRequest {
  /// What the files of a filter say about coverage.
  func alpha(for manifest: FilterManifest) -> AlphaMode { alpha ?? manifest.usualAlpha }
}

extension FilterReader.SamplerChange {
  fileprivate mutating func apply(_ change: RenderRequest.SamplerChange) {
    interpolation = change.interpolation ?? interpolation
    address = change.address ?? address
    isFlipped = change.isUpright.map { !$0 } ?? isFlipped
  }
}

extension CompileError {
  /// The error that callers see.
  var cause: any Error {
    switch self {
    case .diagnostics(let error): error
    case .failure(let error): error
    }
  }
}
