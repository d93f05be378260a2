package import Etalon
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGLSL
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonSystem
internal import Foundation

/// Reads and compiles filters without rendering anything, and tells everything that is wrong with them.
///
/// **Concurrency**: an immutable value; checking blocks.
package struct FilterCheck: Sendable {
  /// What was found in one file.
  package struct Result: Sendable {
    package let path: String
    /// Errors, warnings and notes, in the order of their places.
    package let diagnostics: [Diagnostic]
    /// Why the file could not be checked at all.
    package let failure: RenderError?

    /// How bad the worst of it is; nil when there is nothing but notes.
    package var severity: Diagnostic.Severity? {
      if failure != nil || diagnostics.contains(where: { $0.severity == .error }) { return .error }
      return diagnostics.contains { $0.severity == .warning } ? .warning : nil
    }

    /// - Parameters:
    ///   - notes: whether notes are kept, whoever makes them.
    ///   - find: returns what is to be said, and throws what is wrong.
    init(_ path: String, notes: Bool, _ find: () throws -> [Diagnostic]) {
      self.path = path
      var found: [Diagnostic] = []
      var failure: RenderError?
      do { found = try find() } catch let error as DiagnosticsError {
        found = error.diagnostics
      } catch {
        failure = error as? RenderError ?? RenderError(.internalError, "\(error)")
      }
      diagnostics = notes ? found : found.filter { $0.severity != .note }
      self.failure = failure
    }
  }

  private let timeout: Duration?
  private let notes: Bool
  private let dialect: String?
  private let evaluator = GLSLExpressionEvaluator(cache: .user)

  /// - Parameters:
  ///   - timeout: how long compiling one filter may take.
  ///   - notes: whether it tells what pictures rely on, and every other note, too.
  ///   - dialect: the name of a dialect, for files whose content does not tell it.
  package init(timeout: Duration? = nil, notes: Bool = true, dialect: String? = nil) {
    self.dialect = dialect
    self.timeout = timeout
    self.notes = notes
  }

  /// Checks files on all processors and hands over what was found in the order of the paths, a few at a time.
  package func check(_ paths: [String], observe: (Result) -> Void) {
    let width = 4 * ProcessInfo.processInfo.activeProcessorCount
    for start in stride(from: 0, to: paths.count, by: width) {
      let some = Array(paths[start..<min(start + width, paths.count)])
      for result in SharedWork.map(some.count, { check(some[$0]) }) { observe(result) }
    }
  }

  /// Checks one file.
  package func check(_ path: String) -> Result { Result(path, notes: notes) { try diagnostics(path) } }

  /// What is wrong with the sound that a filter makes; nothing for one that makes none.
  package func soundErrors(_ path: String) throws -> [Diagnostic] {
    var found: [Diagnostic] = []
    do {
      if let sound = try FilterFile.readSound(path, dialect: dialect) { found = try findings(of: sound) }
    } catch let error as DiagnosticsError {
      found = error.diagnostics
    }
    return found.filter { $0.severity == .error }
  }

  /// What is said about the pictures of a filter and about its sound, or about a text that makes a sound alone.
  private func diagnostics(_ path: String) throws -> [Diagnostic] {
    var picture: FilterFile.Reading?
    var found: [Diagnostic] = []
    do {
      let reading = try FilterFile.readPictureOrSound(path, dialect: dialect)
      picture = reading
      found = try findings(of: reading)
    } catch let error as DiagnosticsError {
      found = error.diagnostics
    }
    if let picture, picture.isSound || picture.manifest.dialect != .shaderToy { return found }
    do {
      guard let sound = try FilterFile.readSound(path, dialect: dialect) else { return found }
      let shared = picture.map { Self.texts(of: $0.manifest).intersection(Self.texts(of: sound.manifest)) } ?? []
      return Self.joined(found, try findings(of: sound), sharing: shared)
    } catch let error as DiagnosticsError {
      return Self.joined(found, error.diagnostics)
    }
  }

  /// The paths of the texts that passes contain.
  private static func texts(of manifest: FilterManifest) -> Set<String> {
    Set(manifest.passes.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } })
  }

  /// What is said about pictures and about the sound beside them, each once.
  ///
  /// What one of them leaves unused in a text that they share is unused only where both say so.
  private static func joined(_ pictures: [Diagnostic], _ sound: [Diagnostic], sharing texts: Set<String> = []) -> [Diagnostic] {
    let (first, second) = (Set(pictures), Set(sound))
    let further = sound.filter { !first.contains($0) }
    guard !further.isEmpty || !texts.isEmpty else { return pictures }
    return (pictures + further).filter { found in
      guard found.id.hasPrefix("manifest.unused-"), let text = found.labels.first?.source.path, texts.contains(text) else { return true }
      return first.contains(found) && second.contains(found)
    }.inOrderOfPlaces
  }

  /// Everything that is said about what was read; pictures rely on what sounds do not.
  private func findings(of reading: FilterFile.Reading) throws -> [Diagnostic] {
    let notes =
      (notes && !reading.isSound ? PortabilityReport(reading.manifest, text: reading.text).notes : []) + (try reading.missingFiles())
      + (try wrongExpressions(of: reading.manifest))
    do throws(CompileError) {
      return (reading.warnings + notes + (try compile(reading))).inOrderOfPlaces
    } catch {
      let found: DiagnosticsError
      switch error {
      case .diagnostics(let error): found = error
      case .failure(let error): throw error
      }
      if found.isAvoidedByLenientReading, let lenient = try? leniently(reading), let second = try? compile(lenient) {
        return (reading.warnings + notes + second).inOrderOfPlaces
      }
      return (reading.warnings + notes + found.diagnostics).inOrderOfPlaces
    }
  }

  /// The same, read without 'const' before the variables of the file.
  private func leniently(_ reading: FilterFile.Reading) throws -> FilterFile.Reading? {
    if reading.isSound { return try FilterFile.readSound(reading.path, dialect: dialect, dropsFileScopeConst: true) }
    return try FilterFile.read(reading.path, dialect: dialect, dropsFileScopeConst: true)
  }

  /// What is wrong with the expressions of a header; those of a document's nodes are looked at when it is rendered.
  private func wrongExpressions(of manifest: FilterManifest) throws -> [Diagnostic] {
    manifest.dialect == .graph ? [] : try HeaderCheck(evaluator: evaluator).diagnostics(of: manifest)
  }

  private func compile(_ reading: FilterFile.Reading) throws(CompileError) -> [Diagnostic] {
    let notes = notes && !reading.isSound
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var questions = OpenQuestions()
    let compilation = FilterCompilation(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let warnings = try compilation.warnings(of: reading.manifest) { compiled, pass in
      if notes { questions.add(compiled, sizes: Set(pass.uniforms.filter { $0.meaning == .targetSize }.map(\.name))) }
      return ConstantFindings.warnings(in: compiled)
    }
    return warnings + (notes ? [questions.note(path: reading.path)].compactMap(\.self) : [])
  }
}

/// Everything that can be said about graph documents without rendering them.
package enum GraphCheck {
  /// Checks what a document asks for: its filters, inputs and values, these on all of its frames.
  ///
  /// - Parameters:
  ///   - notes: whether it tells notes, too.
  ///   - request: reads the document.
  package static func check(_ path: String, notes: Bool = true, _ request: () throws -> RenderRequest) -> FilterCheck.Result {
    FilterCheck.Result(path, notes: notes) { try ShotRenderer.check(try request()) }
  }
}
