import EtalonDiagnostics

/// Does several things, each of them even where another one fails, and remembers what went wrong.
///
/// What was found in an hour must not be lost because one of its files cannot be written.
struct Attempts {
  private(set) var failures: [any Error] = []

  /// Whether it was done.
  @discardableResult mutating func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      failures.append(error)
      return false
    }
  }

  /// Prints all that went wrong, and gives the code of the first; nil where nothing did.
  func code(_ report: FailureReport) -> Int32? { failures.map { report.exitCode(for: $0).rawValue }.first }
}
