import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What one expectation does: renders, compares, and tells the test what is wrong.
struct RenderExpectation {
  /// The context of tests that bring none of their own.
  private static let sharedContext = Result { try RenderContext(device: .cpu) }

  let tolerance: Tolerance
  let sourceLocation: SourceLocation

  /// What becomes of stored pictures; nil when the environment names no mode, which fails the test.
  func recordMode() -> RecordMode? {
    if RecordMode.asked == nil {
      fail("\(RecordMode.variable) is none of \(RecordMode.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return RecordMode.asked
  }

  /// The frame; nil when it cannot be rendered, which fails the test.
  func render(_ image: Image, _ time: ShotTime?, _ settings: RenderSettings, _ context: RenderContext?) async -> Frame? {
    do {
      return try await (context ?? Self.sharedContext.get()).render(image, at: time, settings: settings)
    } catch {
      fail("cannot render: \(Self.text(of: error))")
      return nil
    }
  }

  /// Compares with a stored picture, and stores it where the mode says so.
  func compare(_ frame: Frame, with reference: StoredReference, _ mode: RecordMode) -> PictureComparison? {
    let stored: PixelBuffer?
    do throws(RenderError) { stored = try reference.read() } catch {
      fail(Self.text(of: error))
      return nil
    }
    guard let stored else {
      if mode == .never { fail("there is no '\(reference.path)'; \(RecordMode.variable)=missing stores what is rendered now") }
      attach(frame.pixels, "actual")
      if mode != .never { record(frame, reference) }
      return nil
    }
    guard mode != .all else {
      let isEqual = isContradictory(frame.pixels, stored) ? false : comparePictures(frame.pixels, stored).verdict == .pass
      if !isEqual { record(frame, reference) }
      return nil
    }
    let comparison = compare(frame.pixels, with: stored, called: "'\(reference.path)'")
    if mode == .failed, comparison?.verdict.isFailure == true { record(frame, reference) }
    return comparison
  }

  /// Compares two pictures; nil where the tolerance says nothing that could be judged.
  func compare(_ actual: PixelBuffer, with reference: PixelBuffer, called name: String) -> PictureComparison? {
    guard !isContradictory(actual, reference) else { return nil }
    let comparison = comparePictures(actual, reference, tolerance: tolerance)
    guard comparison.verdict.isFailure else { return comparison }
    fail("the picture differs from \(name): \(comparison.summary)")
    attach(actual, "actual")
    attach(reference, "reference")
    if actual.size == reference.size { attach(differencePicture(actual, reference), "difference") }
    return comparison
  }

  /// Whether the tolerance cannot judge such pictures, which fails the test.
  private func isContradictory(_ actual: PixelBuffer, _ reference: PixelBuffer) -> Bool {
    let size = actual.size == reference.size ? reference.size : nil
    let diagnostics = tolerance.diagnostics(comparing: [ChannelKind(actual, reference)], size: size)
    for diagnostic in diagnostics { fail("the tolerance says nothing: \(diagnostic.key): \(diagnostic.message)") }
    return !diagnostics.isEmpty
  }

  /// Stores what was rendered; the test fails nevertheless, because nothing was compared.
  private func record(_ frame: Frame, _ reference: StoredReference) {
    do throws(RenderError) {
      try reference.write(frame)
      fail("stored what is rendered now as '\(reference.path)'; look at it, and run the test again without \(RecordMode.variable)")
    } catch { fail(Self.text(of: error)) }
  }

  private func fail(_ text: String) { Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation) }

  private func attach(_ picture: PixelBuffer, _ name: String) {
    let sink = MemorySink()
    guard !picture.format.isFloat, (try? PNGEncoder().encode(picture, to: sink)) != nil else { return }
    Attachment.record(sink.bytes, named: "\(name).png", sourceLocation: sourceLocation)
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let error as DiagnosticsError: DiagnosticPrinter().text(error.diagnostics)
    case let error as RenderError: DiagnosticPrinter().text([error.diagnostic])
    default: "\(error)"
    }
  }
}

/// A picture beside a test.
struct StoredReference {
  /// As the test names it.
  let path: String
  private let file: String

  init(_ path: String, besides testFile: String) {
    self.path = path
    file = path.hasPrefix("/") ? path : URL(filePath: testFile).deletingLastPathComponent().appending(path: path).path
  }

  /// The picture; nil when there is no file.
  func read() throws(RenderError) -> PixelBuffer? {
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    return try PictureReader().read(path: file)
  }

  /// Stores a frame, also in place of a picture that is there.
  func write(_ frame: Frame) throws(RenderError) {
    try TextFile.makeFolder(of: file)
    try frame.write(to: file, overwriting: true)
  }
}

extension RecordMode {
  /// The name of the environment variable that says what becomes of stored pictures.
  fileprivate static let variable = "ETALON_REFERENCES"

  /// The mode that the environment names, `never` where it names none; nil where it holds a word that is no mode.
  static let asked: RecordMode? = {
    guard let word = ProcessInfo.processInfo.environment[variable] else { return .never }
    return RecordMode(rawValue: word)
  }()
}
