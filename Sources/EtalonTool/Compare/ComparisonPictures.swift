import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

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
