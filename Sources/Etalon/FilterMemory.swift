internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes
internal import Synchronization

/// Filter files that were read and compiled, so that nodes of a graph that apply the same filter share one.
///
/// **Concurrency**: usable from every thread; reading blocks nobody else.
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
