import Etalon
import EtalonDiagnostics

/// Prints one JSON object a line on standard output for every event, with sorted keys and the version of the form.
struct JSONProgress: ProgressDisplay {
  private struct Line: Encodable {
    var version = 1
    var event: String
    var frame: Int?
    var path: String?
    /// Where a frame has several files.
    var paths: [String]?
    var label: String?
    var frames: Int?
    var kept: Int?
    /// Frames that are rendered only because others depend on them; left out where there are none.
    var warmUp: Int?
    var written: Int?
    var failed: Int?
    var size: String?
    var device: String?
    var error: String?
    var interrupted: Bool?
  }

  let report: FailureReport

  func show(_ event: RenderEvent) {
    switch event {
    case .started(let frames, let kept, let warmUp, let size, let device):
      write(Line(event: "started", frames: frames, kept: kept, warmUp: warmUp > 0 ? warmUp : nil, size: "\(size)", device: device))
    case .warmedUp: break
    case .written(let frame, let paths): write(Line(event: "frame", frame: frame, path: paths[0], paths: paths.count > 1 ? paths : nil))
    case .rendered(let label): write(Line(event: "rendered", label: label))
    case .failed(let frame, let error):
      _ = report.exitCode(for: error)
      write(Line(event: "failed", frame: frame, error: error.diagnostic.message))
    case .sheetWritten(let path): write(Line(event: "contact-sheet", path: path))
    }
  }

  func finish(_ summary: RenderSummary) {
    write(
      Line(
        event: "finished", kept: summary.kept, written: summary.written, failed: summary.failed, interrupted: summary.wasInterrupted))
  }

  private func write(_ line: Line) {
    StandardOutput.write(JSONText.text(line))
  }
}
