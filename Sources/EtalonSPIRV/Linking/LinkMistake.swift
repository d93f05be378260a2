import EtalonDiagnostics

/// Makes the error for modules that cannot be linked, which is never the fault of who wrote the shaders.
enum LinkMistake {
  static func error(_ id: String, _ kernel: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "link.\(id)", "cannot fuse '\(kernel)': \(message)",
        help: ["this is a mistake of etalon: please report it together with the shaders"]))
  }
}
