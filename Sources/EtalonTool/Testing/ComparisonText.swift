import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// What `etalon compare` prints for people.
struct ComparisonText {
  private let pairs: PicturePairs
  private let result: SequenceComparison

  init(_ pairs: PicturePairs, _ result: SequenceComparison) {
    self.pairs = pairs
    self.result = result
  }

  var text: String {
    if pairs.kind == .files, let frame = result.frames.first { return frame.comparison.summary }
    return ([head] + differences + time).joined(separator: "\n") + "\n"
  }

  private var noun: String { pairs.kind == .sequences ? "frame" : "picture" }

  private var head: String {
    let failing = result.frames.count { $0.verdict.isFailure }, warning = result.frames.count { $0.verdict == .warn }
    let verdict = result.verdict == .sizeMismatch ? .fail : result.verdict
    var parts = ["\(count(result.frames.count)) compared"]
    if failing > 0 { parts.append("\(failing) beyond the tolerance") }
    if warning > 0 { parts.append("\(warning) to look at") }
    if failing + warning == 0, !result.frames.isEmpty {
      parts.append(result.frames.allSatisfy(\.comparison.isEqual) ? "all equal" : "all within the tolerance")
    }
    if !result.missing.isEmpty { parts.append("\(result.missing.count) missing") }
    if !result.unexpected.isEmpty { parts.append("\(result.unexpected.count) without a reference") }
    return "\(verdict.rawValue): \(parts.joined(separator: ", "))"
  }

  private var differences: [String] {
    let bad = result.frames.filter { $0.verdict > .pass }
    var lines = bad.prefix(Self.mostLines).map { "  \($0.name)  \($0.headline)" }
    if bad.count > Self.mostLines { lines.append("  and \(bad.count - Self.mostLines) more") }
    lines += names("missing", result.missing) + names("without a reference", result.unexpected)
    return lines
  }

  private var time: [String] {
    var lines: [String] = []
    if let first = result.firstDiffering, result.frames.count > 1 { lines.append("  the first that differs: \(noun) \(first.name)") }
    if let worst = result.worst, worst.verdict > .pass {
      lines.append("  the worst: \(noun) \(worst.name)")
      lines += worst.comparison.summary.split(separator: "\n").dropFirst().map { "  \($0)" }
    }
    if pairs.kind == .sequences, let flicker = result.mostFlicker, let measured = flicker.flicker {
      lines.append(
        "  flicker  the difference changes most to \(noun) \(flicker.name): mean \(number(measured.mean)), largest \(number(measured.largest))"
      )
    }
    return lines
  }

  private func names(_ what: String, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    let more = names.count > Self.mostLines ? " and \(names.count - Self.mostLines) more" : ""
    return ["  \(what): \(names.prefix(Self.mostLines).joined(separator: ", "))\(more)"]
  }

  private func count(_ number: Int) -> String { number.of(noun) }

  private func number(_ value: Double) -> String { PlainNumber.text(value) }

  private static let mostLines = 10
}

extension SequenceComparison.Frame {
  /// What is worse: the picture, or how it flickers.
  fileprivate var headline: String {
    guard let limit = flicker?.limit, limit.verdict > comparison.verdict else { return comparison.headline }
    return "\(limit.verdict.rawValue): \(limit.words)"
  }
}

/// What `etalon compare --json` prints.
struct ComparisonJSON {
  private struct Document: Encodable {
    struct Pair: Encodable {
      let name: String
      let actual: String
      let reference: String
      let comparison: PictureComparison
      let flicker: FlickerMeasurement?
    }

    let version = 1
    let verdict: ComparisonVerdict
    let pairs: [Pair]
    let missing: [String]
    let unexpected: [String]
    let firstDiffering: String?
    let worst: String?
  }

  private let document: Document

  init(_ pairs: PicturePairs, _ result: SequenceComparison) {
    document = Document(
      verdict: result.verdict,
      pairs: zip(pairs.pairs, result.frames).map { pair, frame in
        Document.Pair(
          name: pair.name, actual: pair.actual, reference: pair.reference, comparison: frame.comparison, flicker: frame.flicker)
      }, missing: result.missing, unexpected: result.unexpected, firstDiffering: result.firstDiffering?.name, worst: result.worst?.name)
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
  }
}

/// The pictures of differences that a command line asks for.
struct ComparisonPictures {
  private typealias Painter = (PixelBuffer, PixelBuffer, Tolerance) -> PixelBuffer
  private struct Output {
    let option: String
    let text: String
    let title: String
    let paint: Painter
  }

  private let outputs: [Output]
  private let kind: PicturePairs.Kind
  private let policy: ReplacePolicy

  init(_ command: CompareCommand, kind: PicturePairs.Kind) throws {
    let all: [(String, String?, String, Painter)] = [
      ("--difference", command.difference, "difference of color, times 16", { a, b, _ in differencePicture(a, b) }),
      ("--alpha-difference", command.alphaDifference, "difference of alpha, times 16", { a, b, _ in alphaDifferencePicture(a, b) }),
      (
        "--false-color", command.falseColor, "largest difference",
        { a, b, tolerance in EtalonComparison.falseColor(a, b, tolerance: tolerance) }
      ),
      (
        "--flip-map", command.flipMap, "FLIP",
        { a, b, tolerance in EtalonComparison.flipMap(a, b, pixelsPerDegree: tolerance.flip?.pixelsPerDegree) }
      ),
    ]
    outputs = all.compactMap { option, text, title, paint in text.map { Output(option: option, text: $0, title: title, paint: paint) } }
    self.kind = kind
    policy = command.overwrite ? .anything : .ownFrames
    for output in outputs {
      try refuseOperand(output, of: command)
      try check(output)
    }
  }

  /// Paints what is asked for; pictures of different sizes have none.
  func write(_ pair: PicturePairs.Pair, _ actual: PixelBuffer, _ reference: PixelBuffer, _ tolerance: Tolerance) throws {
    guard actual.size == reference.size else { return }
    for output in outputs {
      let picture = output.paint(actual, reference, tolerance)
      try MeasuredPicture(picture, title: output.title, version: EtalonVersion.current)
        .write(to: try path(output, pair), replacing: policy)
    }
  }

  /// Pictures that Etalon wrote may be replaced, but not by what they are compared for.
  private func refuseOperand(_ output: Output, of command: CompareCommand) throws {
    let same = [command.actual, command.reference].contains {
      URL(filePath: $0).standardizedFileURL == URL(filePath: output.text).standardizedFileURL
    }
    guard same else { return }
    throw UsageError(
      "usage.conflict", "'\(output.option) \(output.text)' would replace what is compared", help: "name another place")
  }

  private func check(_ output: Output) throws {
    switch kind {
    case .files:
      try RenderCommand.checkExtension(output.text, option: output.option)
      try policy.check(output.text)
    case .sequences:
      try RenderCommand.checkExtension(output.text, option: output.option)
      guard try pattern(output).hasNumber else {
        throw UsageError(
          "usage.pattern", "'\(output.option) \(output.text)' is one picture for many frames",
          help: "type '\(output.option) where.####.png'")
      }
    case .folders:
      guard !output.text.lowercased().hasSuffix(".png") else {
        throw UsageError(
          "usage.folder", "'\(output.option) \(output.text)' is one picture for the pictures of a folder", help: "name a folder that exists"
        )
      }
    }
  }

  private func path(_ output: Output, _ pair: PicturePairs.Pair) throws -> String {
    switch kind {
    case .files: return output.text
    case .sequences: return try pattern(output).path(frame: pair.frame ?? 0)
    case .folders:
      let name = pair.name.lowercased().hasSuffix(".png") ? pair.name : pair.name + ".png"
      return output.text.hasSuffix("/") ? output.text + name : output.text + "/" + name
    }
  }

  private func pattern(_ output: Output) throws -> FramePattern {
    do throws(DiagnosticsError) { return try FramePattern(output.text, option: output.option) } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }
}
