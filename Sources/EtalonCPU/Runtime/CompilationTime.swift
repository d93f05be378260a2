internal import EtalonDiagnostics

/// How long kernels may be compiled.
///
/// **Concurrency**: an immutable value.
struct CompilationTime: Sendable {
  /// As long as it takes.
  static let unlimited = CompilationTime(nil)

  /// The time that may pass in all; nil for any.
  private let limit: Duration?
  let end: ContinuousClock.Instant?

  /// Begins to count.
  init(_ limit: Duration?) {
    self.limit = limit
    end = limit.map { .now + $0 }
  }

  /// Throws when the time is over.
  func check() throws(Refusal) { if let end, end <= .now { throw .late } }

  /// What there is to say when it is.
  func error(kernel: String) -> RenderError {
    RenderError(
      .timedOut, "compiling kernel '\(kernel)' took longer than \(limit?.secondsText ?? "allowed")",
      help: ["allow more time with '--timeout', or make the shader shorter: a function is compiled once for each of its calls"])
  }
}
