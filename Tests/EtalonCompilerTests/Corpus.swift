import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonTestSupport
import EtalonTypes
import Foundation

/// The filter files of `Tests/Corpus` and what becomes of them.
enum Corpus {
  /// One file per error; beside each lies the text that is printed for it.
  static let errors = CaseFolder.corpus.url.appending(path: "errors")

  /// The names of the shaders in a folder, without ending.
  static func shaders(in folder: String) -> [String] { CaseFolder.corpus.stems(in: folder, ending: "glsl") }

  /// The names of all filter files in a folder of the corpus, whatever they end in.
  static func filterFiles(in folder: String) -> [String] {
    CaseFolder.corpus.names(in: folder) { $0.hasSuffix(".glsl") || $0.hasSuffix(".fs") }
  }

  static func source(_ name: String) throws -> SourceText {
    SourceText(path: "\(name).glsl", bytes: Array(try Data(contentsOf: errors.appending(path: "\(name).glsl"))))
  }

  /// Reads and compiles a text as a command would, and returns everything that is said about it.
  static func diagnostics(of source: SourceText) -> [Diagnostic] {
    do throws(CompileError) {
      return try compile(source).warnings
    } catch {
      switch error {
      case .diagnostics(let error): return error.diagnostics
      case .failure(let error): return [Diagnostic("test.failure", error.text)]
      }
    }
  }

  /// Compiles a ShaderToy text without a cache unless one is given.
  static func compile(
    _ source: SourceText, cache: KernelCache? = nil, variant: StoreVariant = StoreVariant(.packed8, alpha: .opaque),
    deadline: ContinuousClock.Instant? = nil
  ) throws(CompileError) -> CompiledKernel {
    let pass = try pass(of: source)
    return try ShaderCompiler(cache: cache).compile(filter: "test", pass: pass, variant: variant, deadline: deadline)
  }

  static func pass(of source: SourceText) throws(CompileError) -> PassSource {
    do throws(DiagnosticsError) {
      return try ShaderToyReader(files: NoFiles()).read(source, named: "test", options: FilterReader.Options()).manifest.passes[0]
    } catch { throw .diagnostics(error) }
  }

  /// A ShaderToy text around some statements.
  static func shader(_ statements: String, before: String = "") -> SourceText {
    SourceText(
      path: "test.glsl", text: "\(before)\nvoid mainImage(out vec4 fragColor, in vec2 fragCoord)\n{\n\(statements)\n}\n")
  }
}
