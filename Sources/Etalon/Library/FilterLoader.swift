internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonDialects
package import EtalonGraph
package import EtalonManifest
internal import EtalonMedia
internal import EtalonSPIRV
internal import EtalonTypes
internal import Foundation
internal import Synchronization

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
}

/// Reads a filter file, and compiles its passes, unless they are compiled later.
struct FilterLoader {
  /// What a person asked of one filter.
  struct Wish: Sendable {
    var location: RenderRequest.FilterLocation
    var dialect: FilterManifest.Dialect?
    var settings: [RenderRequest.Setting] = []
    var samplers: [(input: String, change: SamplerChange)] = []
    /// Whether what the keys do is known, so that pictures of the keyboard are drawn.
    var drawsKeys = false
    /// The outputs that are wanted beside the result.
    var outputs: [String] = []
    /// Whether settings may be pictures for image inputs, which others look at.
    var namesPictures = false
    /// What relative paths of values start from, with a slash at its end; empty is the working folder.
    var folder = ""
    /// What is made of the filter.
    var part = FilterReader.Part.pictures
    /// How the result is stored; nil stores a texture.
    var output: (format: PixelFormat, alpha: AlphaMode?)?
  }

  private let wish: Wish
  private let kernels: KernelStore?
  private let memory: FilterMemory
  private let settings: TypedSettings

  /// - Parameter kernels: nil compiles nothing.
  /// - Parameter memory: what other nodes of the graph have read.
  init(_ wish: Wish, kernels: KernelStore?, memory: FilterMemory = FilterMemory()) {
    self.wish = wish
    self.kernels = kernels
    self.memory = memory
    settings = TypedSettings(wish.settings)
  }

  /// The filter, and as recipes apply it: with the same one read more leniently beside it where the compiler was not asked yet.
  func load() throws -> (filter: LoadedFilter, applied: GraphFilter) {
    let text = try memory.text(wish.location)
    var options = FilterReader.Options()
    options.dialect = wish.dialect
    options.values = settings.literals
    options.part = wish.part
    for (input, change) in wish.samplers { options.samplers[input] = change }
    do throws(CompileError) {
      let strict = try compile(text, options)
      guard kernels == nil else { return strict }
      options.dropsFileScopeConst = true
      guard let lenient = try? compile(text, options).applied, lenient != strict.applied else { return strict }
      return (strict.filter, GraphFilter(strict.filter.manifest, alternative: lenient))
    } catch {
      guard case .diagnostics(let found) = error, found.isAvoidedByLenientReading else { throw error.cause }
      options.dropsFileScopeConst = true
      do throws(CompileError) { return try compile(text, options) } catch { throw found }
    }
  }

  private func compile(_ text: FilterText, _ options: FilterReader.Options) throws(CompileError) -> (
    filter: LoadedFilter, applied: GraphFilter
  ) {
    let (key, reading): (FilterMemory.ReadingKey, FilterReading)
    do throws(DiagnosticsError) {
      (key, reading) = try memory.reading(wish.location, options) { () throws(DiagnosticsError) in
        try text.reading(options)
      }
    } catch {
      throw .diagnostics(settings.placed(error))
    }
    let tracks = TrackFolder(wish.folder)
    let pictures = wish.namesPictures ? reading.manifest.channelNames : reading.manifest.dataNames
    let (values, animated) = try settings.values(for: reading.manifest, tracks: tracks, except: pictures)
    let outputs: [String]
    do { outputs = try OutputNames(reading.manifest).further(of: wish.outputs) } catch { throw .diagnostics(error) }
    let manifest = (wish.drawsKeys ? reading.manifest.drawingKeys : reading.manifest).endingInPixels(with: outputs)
    let variants = manifest.passes.map { variant(of: $0, in: manifest) }
    let compiledKey = FilterMemory.CompiledKey(
      reading: key, drawsKeys: wish.drawsKeys, outputs: outputs, variants: kernels == nil ? nil : variants)
    let compiled = try memory.compiled(compiledKey) { () throws(CompileError) in
      let warnings = try kernels.map { kernels throws(CompileError) in try compile(manifest, kernels) } ?? []
      return FilterMemory.Compiled(
        filter: GraphFilter(manifest), warnings: reading.warnings + warnings, files: text.paths(of: manifest))
    }
    let filter = LoadedFilter(
      manifest: manifest, values: values, animated: animated, warnings: compiled.warnings, files: compiled.files + tracks.files,
      folder: text.files)
    return (filter, compiled.filter)
  }

  /// Compiles all passes; what is wrong with any of them is reported together, once where passes share a text.
  private func compile(_ manifest: FilterManifest, _ kernels: KernelStore) throws(CompileError) -> [Diagnostic] {
    var compiledPasses: [Kernel] = []
    var warnings: [Diagnostic] = []
    var diagnostics: [Diagnostic] = []
    for pass in manifest.passes {
      do throws(CompileError) {
        let compiled = try kernels.compiled(pass, in: manifest.name, storing: variant(of: pass, in: manifest))
        compiledPasses.append(compiled.kernel)
        warnings += compiled.warnings.filter { !warnings.contains($0) }
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        diagnostics += found.diagnostics.filter { !diagnostics.contains($0) }
      }
    }
    guard diagnostics.isEmpty else { throw .diagnostics(DiagnosticsError(diagnostics)) }
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

extension DiagnosticsError {
  /// Whether the compiler may take the text without `const` before variables of the file, as some drivers do.
  package var isAvoidedByLenientReading: Bool { diagnostics.contains { $0.id == "glsl.global-const-initializer" } }
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

// MARK: outputs

/// What the outputs of a filter are called.
private struct OutputNames {
  private let manifest: FilterManifest

  init(_ manifest: FilterManifest) { self.manifest = manifest }

  /// Those of the wanted outputs that are not the result, each once; names that the filter does not have are refused.
  func further(of wanted: [String]) throws(DiagnosticsError) -> [String] {
    let names = [manifest.mainOutput] + manifest.furtherOutputs
    let unknown = wanted.filter { !names.contains($0) }
    guard unknown.isEmpty else { throw DiagnosticsError(unknown.map { diagnostic($0, names) }) }
    return manifest.furtherOutputs.filter(wanted.contains)
  }

  private func diagnostic(_ name: String, _ names: [String]) -> Diagnostic {
    let others = names.map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic(
      "output.unknown", "'\(manifest.name)' has no output '\(name)', which '--output' names",
      help: [
        NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
          ?? (names.count == 1 ? "its only output is \(others)" : "its outputs are \(others)"),
        "a file with '=' in its name is written './\(name)=…'",
      ])
  }
}

// MARK: filters that were read

/// Filter files that were read and compiled, so that nodes of a graph that apply the same filter share one.
///
/// **Concurrency**: usable from every thread; reading does not block other threads.
final class FilterMemory: Sendable {
  /// A filter as recipes apply it.
  struct Compiled: Sendable {
    let filter: GraphFilter
    /// What was found while reading and compiling.
    let warnings: [Diagnostic]
    /// The paths of its texts.
    let files: [String]
  }

  /// What reading a filter follows from.
  struct ReadingKey: Hashable {
    let location: RenderRequest.FilterLocation
    /// Their values are those of constants of the text.
    let options: FilterReader.Options
  }

  /// What compiling a filter follows from.
  struct CompiledKey: Hashable {
    let reading: ReadingKey
    let drawsKeys: Bool
    let outputs: [String]
    /// How the passes store; nil where nothing is compiled.
    let variants: [StoreVariant]?
  }

  private struct State {
    var texts: [RenderRequest.FilterLocation: FilterText] = [:]
    /// The constants of a text, by how it is read without values.
    var constants: [ReadingKey: Set<String>] = [:]
    var readings: [ReadingKey: FilterReading] = [:]
    var compiled: [CompiledKey: Compiled] = [:]
  }

  private let state = Mutex(State())

  /// The text of a filter.
  func text(_ location: RenderRequest.FilterLocation) throws -> FilterText {
    if let known = state.withLock({ $0.texts[location] }) { return known }
    let text = try FilterText(location)
    state.withLock { $0.texts[location] = text }
    return text
  }

  /// What a text says; values for names that are no constants of it change nothing.
  func reading(
    _ location: RenderRequest.FilterLocation, _ options: FilterReader.Options, read: () throws(DiagnosticsError) -> FilterReading
  ) throws(DiagnosticsError) -> (key: ReadingKey, reading: FilterReading) {
    var plain = options
    plain.values = [:]
    let unset = ReadingKey(location: location, options: plain)
    if let constants = state.withLock({ $0.constants[unset] }) {
      let key = Self.key(location, options, constants)
      if let known = state.withLock({ $0.readings[key] }) { return (key, known) }
    }
    let reading = try read()
    let constants = reading.manifest.namesInText
    let key = Self.key(location, options, constants)
    state.withLock { state in
      state.constants[unset] = constants
      state.readings[key] = reading
    }
    return (key, reading)
  }

  private static func key(
    _ location: RenderRequest.FilterLocation, _ options: FilterReader.Options, _ constants: Set<String>
  ) -> ReadingKey {
    var own = options
    own.values = options.values.filter { constants.contains($0.key) }
    return ReadingKey(location: location, options: own)
  }

  /// The filter, its kernels compiled where they are wanted; one that is refused is compiled again when it is asked for again.
  func compiled<Failure: Error>(_ key: CompiledKey, compile: () throws(Failure) -> Compiled) throws(Failure) -> Compiled {
    if let known = state.withLock({ $0.compiled[key] }) { return known }
    let compiled = try compile()
    state.withLock { $0.compiled[key] = compiled }
    return compiled
  }
}

extension FilterManifest {
  /// The names whose values may be written into the text: in one pass of a project a parameter may be a constant of another.
  fileprivate var namesInText: Set<String> {
    Set(constants.map(\.name) + (dialect == .shaderToy ? parameters.map(\.name) : []))
  }
}
