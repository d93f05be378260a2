internal import EtalonDiagnostics
internal import EtalonGraph

/// Gathers what goes wrong in several places, so that all of it is told together.
struct MistakeCollector {
  private var mistakes: [Diagnostic] = []
  private var failures: [RenderError] = []

  /// Whether nothing went wrong so far.
  var isEmpty: Bool { mistakes.isEmpty && failures.isEmpty }

  /// Does something; mistakes and missing files that it throws wait.
  ///
  /// What the device did, and mistakes of Etalon's own, are thrown at once.
  mutating func attempt(_ work: () throws -> Void) throws {
    do { try work() } catch let error as DiagnosticsError {
      mistakes += error.diagnostics.filter { !mistakes.contains($0) }
    } catch let error as RenderError where error.code == .missingInput || error.code == .invalidInput {
      if !failures.contains(error) { failures.append(error) }
    }
  }

  /// Throws all of it in the order of the places: files that are missing count less than what somebody wrote wrong.
  func check() throws {
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes.sortedByPlace + failures.flatMap(\.diagnostics)) }
    if let first = failures.first { throw first.joined(with: Array(failures.dropFirst())) }
  }
}
