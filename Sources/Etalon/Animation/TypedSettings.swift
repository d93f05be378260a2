internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// What a person typed for the names of a filter: plain values, and values that change over time.
struct TypedSettings {
  /// The plain ones, which constants of the text may have too.
  private(set) var literals: [String: String] = [:]
  private var animated: [String: String] = [:]

  init(_ settings: [RenderRequest.Setting]) {
    for setting in settings {
      literals[setting.name] = nil
      animated[setting.name] = nil
      if AnimatedValue.isAnimated(setting.value) {
        animated[setting.name] = setting.value
      } else {
        literals[setting.name] = setting.value
      }
    }
  }

  /// Reads all of them; what is wrong with any is reported together.
  func values(
    for manifest: FilterManifest, tracks: any TrackFiles
  ) throws(CompileError) -> (plain: ParameterValues, animated: [String: AnimatedValue]) {
    var mistakes: [Diagnostic] = []
    var plain = ParameterValues(defaultsOf: manifest)
    do throws(DiagnosticsError) { plain = try ParameterValues(literals, of: manifest) } catch { mistakes += error.diagnostics }
    var values: [String: AnimatedValue] = [:]
    for (name, text) in animated.sorted(by: { $0.key < $1.key }) {
      do throws(CompileError) {
        values[name] = try value(name, text, manifest, tracks)
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        mistakes += found.diagnostics
      }
    }
    guard mistakes.isEmpty else { throw .diagnostics(DiagnosticsError(mistakes)) }
    return (plain, values)
  }

  private func value(
    _ name: String, _ text: String, _ manifest: FilterManifest, _ tracks: any TrackFiles
  ) throws(CompileError) -> AnimatedValue {
    let places = SettingText.places(name: name, value: text)
    guard let parameter = manifest.parameters.first(where: { $0.name == name }) else {
      throw .diagnostics(
        DiagnosticsError(ParameterValues.unknownName(name, text, in: manifest) ?? constant(name, places.value, manifest)))
    }
    do throws(AnimatedValue.ReadingError) {
      return try AnimatedValue.parse(text: text, at: places.value, for: parameter, tracks: tracks)
    } catch {
      switch error {
      case .diagnostics(let mistakes): throw .diagnostics(mistakes)
      case .failure(let failure): throw .failure(failure)
      }
    }
  }

  private func constant(_ name: String, _ place: SourceRange, _ manifest: FilterManifest) -> Diagnostic {
    let declaration = manifest.constants.first { $0.name == name }?.place.map { [Diagnostic.Label($0.source, $0.range, "declared here")] }
    let isShaderToy = manifest.dialect == .shaderToy
    return Diagnostic(
      "value.constant", "'\(name)' is a constant of the text, which has one value for all frames",
      labels: [.init(place.source, place.range, "changes")] + (declaration ?? []),
      help: [
        isShaderToy
          ? "make it a parameter: etalon import FILE --expose \(name) -o FOLDER" : "declare it as an input in the header of the file"
      ])
  }
}
