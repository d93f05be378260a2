import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// `etalon check-sequence`, which tells whether every frame is there, whole, and like the others.
struct CheckSequenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-sequence",
    abstract: "Looks for gaps, odd sizes, broken files and duplicate frames in a sequence of pictures.",
    discussion: "etalon check-sequence 'out/plasma.####.png'")

  @Argument(help: ArgumentHelp("A pattern, one frame of the sequence, or a folder.", valueName: "sequence"))
  var sequence: String

  func run() throws {
    let report = FailureReport(format: .text)
    do {
      let results = try SequenceCheck().check(sequence)
      for result in results { StandardOutput.write(SequenceReport.text(result)) }
      if results.contains(where: { !$0.defects.isEmpty }) {
        throw ArgumentParser.ExitCode(EtalonDiagnostics.ExitCode.invalidInput.rawValue)
      }
    } catch let code as ArgumentParser.ExitCode {
      throw code
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }
}

/// The words for what a sequence check found.
enum SequenceReport {
  static func text(_ result: SequenceCheck.Result) -> String {
    var out = "\(result.pattern): \(result.frames.count.of("frame")) from \(result.frames.first ?? 0) to \(result.frames.last ?? 0)"
    if let size = result.size { out += ", \(size)" }
    if result.step != 1 { out += ", one of every \(result.step)" }
    out += result.defects.isEmpty ? ", nothing wrong\n" : ", \(result.defects.count.of("problem"))\n"
    for defect in result.defects { out += "  \(text(defect))\n" }
    return out
  }

  private static func text(_ defect: SequenceCheck.Defect) -> String {
    switch defect {
    case .gap(let range) where range.count == 1: "frame \(range.lowerBound) is missing"
    case .gap(let range): "frames \(range.lowerBound) to \(range.upperBound) are missing"
    case .oddSize(let frame, let size, let usual): "frame \(frame) is \(size), the others are \(usual)"
    case .oddFormat(let frame, let format, let alpha, let usual, let usualAlpha):
      "frame \(frame) is \(format) \(alpha), the others are \(usual) \(usualAlpha)"
    case .unreadable(let frame, let error): "frame \(frame) cannot be read: \(error.message)\(error.underlying.map { ": \($0)" } ?? "")"
    case .duplicate(let frame, let of): "frame \(frame) has the same pixels as frame \(of)"
    }
  }
}
