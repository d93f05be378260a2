internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import Synchronization

/// What a person typed for the names of a filter: plain values, and values that change over time.
struct TypedSettings {
  /// The plain ones, which constants of the text may have too.
  private(set) var literals: [String: String] = [:]
  private var animated: [String: RenderRequest.Setting] = [:]
  /// Those that stand in a graph, by what messages about their literals show.
  private var written: [String: GraphText.Setting] = [:]

  init(_ settings: [RenderRequest.Setting]) {
    for setting in settings {
      literals[setting.name] = nil
      animated[setting.name] = nil
      let isList = setting.written.map { $0.value.list != nil } ?? true
      if !isList || AnimatedValue.isAnimated(setting.value) {
        animated[setting.name] = setting
      } else {
        literals[setting.name] = setting.value
        if let text = setting.written { written["\(setting.name)=\(setting.value)"] = text }
      }
    }
  }

  /// Reads all of them; what is wrong with any is reported together.
  ///
  /// - Parameter pictures: names of image inputs among the settings, which are no parameters.
  func values(
    for manifest: FilterManifest, tracks: any TrackFiles, except pictures: [String] = []
  ) throws(CompileError) -> (plain: ParameterValues, animated: [String: AnimatedValue]) {
    var diagnostics: [Diagnostic] = []
    var plain = ParameterValues(defaultsOf: manifest)
    do throws(DiagnosticsError) { plain = try ParameterValues(literals.filter { !pictures.contains($0.key) }, of: manifest) } catch {
      diagnostics += placed(error).diagnostics.map { $0.suggesting(from: pictures) }
    }
    var values: [String: AnimatedValue] = [:]
    for (name, setting) in animated.sorted(by: { $0.key < $1.key }) where !pictures.contains(name) {
      do throws(CompileError) {
        values[name] = try value(setting, manifest, tracks)
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        diagnostics += found.diagnostics
      }
    }
    guard diagnostics.isEmpty else { throw .diagnostics(DiagnosticsError(diagnostics)) }
    return (plain, values)
  }

  private func value(
    _ setting: RenderRequest.Setting, _ manifest: FilterManifest, _ tracks: any TrackFiles
  ) throws(CompileError) -> AnimatedValue {
    let (name, text) = (setting.name, setting.value)
    let place = setting.written?.value.place ?? SettingText.places(name: name, value: text).value
    guard let parameter = manifest.parameters.first(where: { $0.name == name }) else {
      let unknown = ParameterValues.unknownName(name, text, in: manifest).map(DiagnosticsError.init)
      throw .diagnostics(
        unknown.map { $0.moved(from: "\(name)=\(text)", to: setting.written) } ?? DiagnosticsError(constant(name, text, place, manifest)))
    }
    do throws(AnimatedValue.ReadingError) {
      if let written = setting.written {
        return try AnimatedValue.parse(written.value, for: parameter, tracks: SettingTracks(tracks: tracks, setting: written))
      }
      return try AnimatedValue.parse(text: text, at: place, for: parameter, tracks: tracks)
    } catch {
      switch error {
      case .diagnostics(let diagnostics): throw .diagnostics(diagnostics)
      case .failure(let failure): throw .failure(failure)
      }
    }
  }

  /// The same errors where the settings stand that they are about.
  func placed(_ error: DiagnosticsError) -> DiagnosticsError {
    written.reduce(error) { $0.moved(from: $1.key, to: $1.value) }
  }

  private func constant(_ name: String, _ text: String, _ place: SourceRange, _ manifest: FilterManifest) -> Diagnostic {
    let inner = text.filter { $0 != " " }.dropFirst().dropLast()
    if text.hasPrefix("("), text.hasSuffix(")"), let first = inner.first, !first.isLetter,
      inner.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) })
    {
      return Diagnostic(
        "value.constant", "'\(name)' is a constant of the text, which takes no expressions",
        labels: [place.label("an expression")], help: ["leave out the parentheses: '\(name)=\(inner)'"])
    }
    let declaration = manifest.constants.first { $0.name == name }?.place.map { [$0.label("declared here")] }
    let isShaderToy = manifest.dialect == .shaderToy
    return Diagnostic(
      "value.constant", "'\(name)' is a constant of the text, which has one value for all frames",
      labels: [place.label("changes")] + (declaration ?? []),
      help: [
        isShaderToy
          ? "make it a parameter: etalon import FILE --expose \(name) -o FOLDER" : "declare it as an input in the header of the file"
      ])
  }
}

extension DiagnosticsError {
  /// The same, with labels in the text `name=value` of a setting moved to the place where it was written.
  fileprivate func moved(from text: String, to setting: GraphText.Setting?) -> DiagnosticsError {
    guard let setting else { return self }
    return DiagnosticsError(
      diagnostics.map { found in
        let labels = found.labels.map { label in
          guard label.source.path == SettingText.path, label.source.text == text else { return label }
          let isName = label.range.lowerBound < setting.name.text.utf8.count
          let place = isName ? setting.name.place : setting.value.place
          return place.label(label.message)
        }
        return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
      })
  }
}

extension Diagnostic {
  /// The same about a name that nothing has, with the image input that was perhaps meant.
  fileprivate func suggesting(from inputs: [String]) -> Diagnostic {
    guard id == "value.unknown-name", help.isEmpty, let label = labels.first else { return self }
    let name = String(decoding: label.source.bytes[label.range], as: UTF8.self)
    guard let nearest = NearestName.find(name, in: inputs) else { return self }
    return Diagnostic(id, message, severity: severity, labels: labels, help: ["did you mean '\(nearest)'?"], notes: notes)
  }
}

// MARK: tracks

/// Reads the tracks that values mention, each once.
///
/// **Concurrency**: usable from every thread.
final class TrackFolder: TrackFiles {
  /// The largest file, in bytes.
  private static let largestFile = 1 << 26

  private let folder: String
  private let tables = Mutex<[String: TrackTable]>([:])

  /// - Parameter folder: what relative paths start from, with a slash at its end; empty is the working folder.
  init(_ folder: String = "") { self.folder = folder }

  func table(_ path: String, from base: String?, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable {
    let file = path.hasPrefix("/") ? path : (base ?? folder) + path
    if let known = tables.withLock({ $0[file] }) { return known }
    let bytes: [UInt8]
    do throws(RenderError) { bytes = try text(of: file) } catch {
      throw .failure(error.asked(at: place.label("asked for here")))
    }
    let table: TrackTable
    do throws(DiagnosticsError) { table = try TrackTable(SourceText(path: file, bytes: bytes)) } catch { throw .diagnostics(error) }
    tables.withLock { $0[file] = table }
    return table
  }

  private func text(of file: String) throws(RenderError) -> [UInt8] {
    let bytes = try FileReader.bytes(of: file, limit: Self.largestFile)
    guard !bytes.contains(0) else {
      throw RenderError(.invalidInput, "'\(file)' is not a CSV file", underlying: "it has zero bytes", help: ["save it as UTF-8 text"])
    }
    return bytes
  }

  /// The files that were read, as paths that can be watched.
  var files: [String] { tables.withLock { $0.keys.sorted() } }
}

/// The tracks that a value mentions, whose paths start where those of its setting do.
private struct SettingTracks: TrackFiles {
  let tracks: any TrackFiles
  let setting: GraphText.Setting

  func table(_ path: String, from base: String?, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable {
    try tracks.table(path, from: base ?? setting.base, at: place)
  }
}
