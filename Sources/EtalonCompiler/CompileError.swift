package import EtalonDiagnostics

/// Why a pass did not become a kernel.
package enum CompileError: Error, Sendable, Hashable {
  /// The author's text is wrong, or, with an id that starts with `internal.`, Etalon's text around it.
  case diagnostics(DiagnosticsError)
  /// The world did not let it be compiled: it took too long, or memory ran out.
  case failure(RenderError)
}
