package import Etalon
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonDialects
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

    /// - Parameter find: returns what is to be said, and throws what is wrong.
    init(_ path: String, _ find: () throws -> [Diagnostic]) {
      self.path = path
      var failure: RenderError?
      do { diagnostics = try find() } catch let error as DiagnosticsError {
        diagnostics = error.diagnostics
      } catch {
        diagnostics = []
        failure = error as? RenderError ?? RenderError(.internalError, "\(error)")
      }
      self.failure = failure
    }
  }

  private let timeout: Duration?
  private let notes: Bool
  private let dialect: String?
  private let evaluator = GLSLExpressionEvaluator(cache: .user)

  /// - Parameters:
  ///   - timeout: how long compiling one filter may take.
  ///   - notes: whether it tells what pictures rely on, too.
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
  package func check(_ path: String) -> Result { Result(path) { try diagnostics(path) } }

  private func diagnostics(_ path: String) throws -> [Diagnostic] {
    let reading = try FilterFile.read(path, dialect: dialect)
    let notes =
      (notes ? PortabilityReport(reading.manifest, text: reading.text).notes : []) + (try reading.missingFiles())
      + (try wrongExpressions(of: reading.manifest))
    do throws(CompileError) {
      return (reading.warnings + notes + (try compile(reading.manifest, path))).inOrderOfPlaces
    } catch {
      let found: DiagnosticsError
      switch error {
      case .diagnostics(let error): found = error
      case .failure(let error): throw error
      }
      if found.isAvoidedByLenientReading,
        let second = try? compile(try FilterFile.read(path, dialect: dialect, dropsFileScopeConst: true).manifest, path)
      {
        return (reading.warnings + notes + second).inOrderOfPlaces
      }
      throw DiagnosticsError((reading.warnings + notes + found.diagnostics).inOrderOfPlaces)
    }
  }

  /// What is wrong with the expressions of a header; those of a document's nodes are looked at when it is rendered.
  private func wrongExpressions(of manifest: FilterManifest) throws -> [Diagnostic] {
    manifest.dialect == .graph ? [] : try HeaderCheck(evaluator: evaluator).diagnostics(of: manifest)
  }

  private func compile(_ manifest: FilterManifest, _ path: String) throws(CompileError) -> [Diagnostic] {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var questions = OpenQuestions()
    let compilation = FilterCompilation(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let warnings = try compilation.warnings(of: manifest) { compiled, pass in
      if notes { questions.add(compiled, sizes: Set(pass.uniforms.filter { $0.meaning == .targetSize }.map(\.name))) }
      return ConstantFindings.warnings(in: compiled)
    }
    return warnings + (notes ? [questions.note(path: path)].compactMap(\.self) : [])
  }
}

/// Everything that can be said about graph documents without rendering them.
package enum GraphCheck {
  /// Checks what a document asks for: its filters, inputs and values, these on all of its frames.
  ///
  /// - Parameter request: reads the document.
  package static func check(_ path: String, _ request: () throws -> RenderRequest) -> FilterCheck.Result {
    FilterCheck.Result(path) { try ShotRenderer.check(try request()) }
  }
}
