internal import EtalonDiagnostics

/// What became of one filter of a survey.
package enum SurveyVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The devices show the same picture.
  case agrees
  /// There is a picture, and no second device to compare it with.
  case renders
  /// The devices differ where the last bit of an elementary function decides.
  case unstable
  /// The result has values that are no numbers, or infinite.
  case notFinite = "not-finite"
  /// Every device shows one single color.
  case flat
  /// It needs something that Etalon says it does not have, such as sound.
  case refused
  /// It needs a picture that nobody gave.
  case needsPicture = "needs-picture"
  /// The file is wrong, and a diagnostic says where.
  case defect
  /// The devices show different pictures.
  case differs
  /// There was no result within the time.
  case slow
  /// Etalon could not do it, or crashed.
  case failed

  /// Whether it makes a survey fail: nobody knows a reason but Etalon's own.
  package var isFailure: Bool {
    switch self {
    case .differs, .slow, .failed: true
    case .agrees, .renders, .unstable, .notFinite, .flat, .refused, .needsPicture, .defect: false
    }
  }

  /// The ids of diagnostics that mean something is not supported, and nothing is wrong with the file.
  private static let refusals: Set<String> = [
    "shadertoy.unsupported-input", "shadertoy.sound-pass", "shadertoy.no-picture", "isf.unsupported-input", "compute.unsupported",
    "import.unsupported-input",
  ]

  /// What an error means that ended a filter before there was a picture.
  init(of error: any Error) {
    switch error {
    case let error as DiagnosticsError:
      let ids = error.diagnostics.filter { $0.severity == .error }.map(\.id)
      if ids.contains(where: { $0.hasPrefix("internal.") }) {
        self = .failed
      } else {
        self = ids.contains(where: Self.refusals.contains) ? .refused : .defect
      }
    case let error as RenderError where error.code == .missingInput: self = .needsPicture
    case let error as RenderError where error.code == .invalidInput: self = .defect
    default: self = .failed
    }
  }
}
