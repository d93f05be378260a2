internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest

extension FilterText {
  /// How long the compiler may look at a text that is refused anyway.
  private static let compilationTime = Duration.seconds(10)

  /// What the text says; where its interface is wrong, what the compiler finds in the rest is told with it.
  func reading(_ options: FilterReader.Options) throws(DiagnosticsError) -> FilterReading {
    let reader = FilterReader(files: files)
    do throws(DiagnosticsError) {
      return try reader.read(source, options: options)
    } catch {
      guard let draft = try? reader.draft(source, options: options), let manifest = draft.manifest else { throw error }
      let found = mistakes(in: manifest, doubting: DoubtfulNames(of: draft, in: source))
      throw DiagnosticsError((error.diagnostics + found.filter { !error.diagnostics.contains($0) }).inOrderOfPlaces)
    }
  }

  /// What the compiler refuses, but for statements with names that the mistakes of the interface leave open, and for what Etalon writes around the text,
  /// which is as wrong as the interface that it declares.
  private func mistakes(in manifest: FilterManifest, doubting names: DoubtfulNames) -> [Diagnostic] {
    do throws(CompileError) {
      _ = try FilterCompilation(compiler: ShaderCompiler(cache: .user), deadline: ContinuousClock.now + Self.compilationTime)
        .warnings(of: manifest)
      return []
    } catch {
      guard case .diagnostics(let refusal) = error else { return [] }
      return refusal.diagnostics.filter { $0.severity == .error && !$0.id.hasPrefix("internal.") && !names.mayCause($0) }
    }
  }
}
