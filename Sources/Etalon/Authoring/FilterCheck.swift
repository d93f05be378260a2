internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonSPIRV
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

  /// The id of the one refusal that a second try without `const` can avoid.
  private static let unfoldableConstant = "glsl.global-const-initializer"

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
      (notes ? PortabilityReport(reading.manifest, text: reading.text).notes : []) + (try missingFiles(of: reading))
      + (try wrongExpressions(of: reading.manifest))
    do throws(CompileError) {
      return (reading.warnings + notes + (try compile(reading.manifest, path))).inOrderOfPlaces
    } catch {
      let refusal: DiagnosticsError
      switch error {
      case .diagnostics(let error): refusal = error
      case .failure(let error): throw error
      }
      if refusal.diagnostics.contains(where: { $0.id == Self.unfoldableConstant }),
        let second = try? compile(try FilterFile.read(path, dialect: dialect, dropsFileScopeConst: true).manifest, path)
      {
        return (reading.warnings + notes + second).inOrderOfPlaces
      }
      throw DiagnosticsError((reading.warnings + notes + refusal.diagnostics).inOrderOfPlaces)
    }
  }

  /// What is wrong with the pictures and sounds that a filter brings; those of a document's nodes are looked at when it is rendered.
  private func missingFiles(of reading: FilterFile.Reading) throws -> [Diagnostic] {
    let manifest = reading.manifest
    guard manifest.dialect != .graph, manifest.inputs.contains(where: { if case .file = $0.origin { true } else { false } }) else {
      return []
    }
    return BroughtPictures(try FilterText(.file(reading.path)).files).mistakes(in: manifest.inputs)
  }

  /// What is wrong with the expressions of a header; those of a document's nodes are looked at when it is rendered.
  private func wrongExpressions(of manifest: FilterManifest) throws -> [Diagnostic] {
    manifest.dialect == .graph ? [] : try HeaderCheck(evaluator: evaluator).mistakes(of: manifest)
  }

  private func compile(_ manifest: FilterManifest, _ path: String) throws(CompileError) -> [Diagnostic] {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    return try FilterCompilation(compiler: ShaderCompiler(cache: .user), deadline: deadline, sanitizedPath: notes ? path : nil)
      .warnings(of: manifest)
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

// MARK: compiling

/// Compiles all passes of a filter to see whether the compiler takes them.
struct FilterCompilation {
  let compiler: ShaderCompiler
  let deadline: ContinuousClock.Instant?
  /// The path to point to `etalon sanitize` with; nil says nothing of what has to be run to be known.
  var sanitizedPath: String?

  /// What the compiler warns about, and what is declared and used by nothing.
  func warnings(of manifest: FilterManifest) throws(CompileError) -> [Diagnostic] {
    let manifest = manifest.endingInPixels()
    var warnings: [Diagnostic] = []
    var mistakes: [Diagnostic] = []
    var kernels: [Kernel] = []
    var questions = OpenQuestions()
    for pass in manifest.passes {
      let isResult = pass.coverage == .pixels && pass.target == nil
      let variant = StoreVariant(isResult ? .packed8 : .texture, alpha: .asReturned)
      do throws(CompileError) {
        let compiled = try compiler.compile(filter: manifest.name, pass: pass, variant: variant, deadline: deadline)
        warnings += compiled.warnings + ConstantFaults.warnings(in: compiled)
        if sanitizedPath != nil { questions.add(compiled, sizes: Set(pass.uniforms.filter { $0.meaning == .targetSize }.map(\.name))) }
        kernels.append(compiled.kernel)
      } catch {
        guard case .diagnostics(let refusal) = error else { throw error }
        mistakes += refusal.diagnostics
      }
    }
    guard mistakes.isEmpty else { throw .diagnostics(DiagnosticsError((warnings + mistakes).uniqued)) }
    do { warnings += try InterfaceCheck(manifest).warnings(kernels) } catch { throw .diagnostics(error) }
    if let note = sanitizedPath.flatMap({ questions.note(path: $0) }) { warnings.append(note) }
    return warnings.uniqued
  }
}

extension [Diagnostic] {
  /// Each of them once: texts that passes share are compiled several times.
  fileprivate var uniqued: [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}

// MARK: what is checked

/// The files that are to be checked: files, filters by name, and whole libraries.
package struct CheckTargets: Sendable {
  /// Files, lines of files with an export on each, and folders of ShaderToy projects, each once.
  package private(set) var paths: [String] = []
  /// The folders of filters among them.
  package private(set) var folders: [String] = []
  /// What is wrong with the libraries themselves.
  package private(set) var diagnostics: [Diagnostic] = []
  /// What is passed over, and why.
  package private(set) var notes: [Diagnostic] = []

  /// Finds them; a name that no filter has is a diagnostic like any other.
  package init(_ words: [String], in library: FilterLibrary) {
    for word in words { add(word, library) }
    var known: Set<String> = []
    paths = paths.filter { known.insert($0).inserted }
  }

  private mutating func add(_ word: String, _ library: FilterLibrary) {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isFolder)
    if exists, isFolder.boolValue, FilterLibrary.filter(inFolder: word) == nil {
      let folder = word.count > 1 && word.hasSuffix("/") ? String(word.dropLast()) : word
      folders.append(folder)
      add(FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: folder, origin: .option)])))
      paths += GraphDocument.documents(inFolder: folder)
      return
    }
    if exists, ExportLines.recognizes(word), let lines = try? ExportLines.of(word), !lines.numbers.isEmpty {
      paths += lines.numbers.map { "\(word):\($0)" }
      return
    }
    do throws(DiagnosticsError) { paths.append(try library.path(of: word)) } catch { diagnostics += error.diagnostics }
  }

  private mutating func add(_ library: FilterLibrary) {
    let contents = library.contents
    let helpers = IncludedTexts.helpers(among: contents.paths)
    paths += contents.paths.filter { !helpers.contains($0) }
    notes += helpers.sorted().map { path in
      Diagnostic("library.included-text", "'\(path)' is passed over: other files include it, and it is no filter itself", severity: .note)
    }
    diagnostics += library.warnings + contents.duplicates
  }
}
