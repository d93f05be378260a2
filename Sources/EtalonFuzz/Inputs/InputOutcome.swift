import EtalonDiagnostics

/// What became of a damaged input.
enum InputOutcome: Hashable, Sendable {
  /// It was read and did what it says.
  case ran
  /// It was read and took longer, or more memory, than it may.
  case stopped(String)
  /// It was refused with an error for a person.
  case refused(String)
  /// Etalon did something that it must not do.
  case defect(String)

  /// What an error means.
  init(_ error: any Error) {
    switch error {
    case let error as DiagnosticsError: self = Self.judge(error.diagnostics)
    case let error as RenderError: self = Self.judge(error)
    default: self = .defect("an error that the command cannot tell: \(error)")
    }
  }

  private static func judge(_ diagnostics: [Diagnostic]) -> InputOutcome {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return .defect("an error without an error diagnostic") }
    if let own = diagnostics.first(where: { $0.id.hasPrefix("internal.") }) {
      return .defect("a mistake of Etalon's own: \(own.id) \(own.message)")
    }
    if let empty = diagnostics.first(where: { $0.message.isEmpty }) { return .defect("a diagnostic without a message: \(empty.id)") }
    // Printing looks at places, which damage moves.
    guard !DiagnosticPrinter().text(diagnostics).isEmpty, !DiagnosticJSON().text(diagnostics).isEmpty else {
      return .defect("diagnostics that print nothing")
    }
    return .refused(first.id)
  }

  private static func judge(_ error: RenderError) -> InputOutcome {
    guard !error.message.isEmpty, !error.text.isEmpty else { return .defect("an error without a message: \(error.code)") }
    switch error.code {
    case .internalError: return .defect("a mistake of Etalon's own: \(error.message) \(error.underlying ?? "")")
    case .timedOut, .endlessLoop, .outOfMemory: return .stopped(error.code.rawValue)
    default: return .refused(error.code.rawValue)
    }
  }
}

extension InputOutcome {
  /// The word and the text with which a worker tells it.
  var line: String {
    let (word, text) =
      switch self {
      case .ran: ("ran", "")
      case .stopped(let text): ("stopped", text)
      case .refused(let text): ("refused", text)
      case .defect(let text): ("defect", text)
      }
    return "\(word) \(String(decoding: text.utf8.prefix(2000).map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))"
  }

  init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    let text = parts.count > 1 ? parts[1] : ""
    switch parts[0] {
    case "ran": self = .ran
    case "stopped": self = .stopped(text)
    case "refused": self = .refused(text)
    case "defect": self = .defect(text)
    default: return nil
    }
  }
}
