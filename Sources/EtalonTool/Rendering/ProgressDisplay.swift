import Etalon
import EtalonDiagnostics
import EtalonTypes
import Foundation
import Synchronization

/// Shows what happens while frames are rendered.
protocol ProgressDisplay: Sendable {
  func show(_ event: RenderEvent)
  /// Called once, after the last event.
  func finish(_ summary: RenderSummary)
}

/// Tells of frames that are rendered only because others depend on them.
enum WarmUpNote {
  static func write(_ count: Int) {
    guard count > 0 else { return }
    StandardError.write("rendering \(count.of("earlier frame")) first, because frames depend on those before them\n")
  }
}

/// Shows failures, and what takes long without a result, where standard error is not a terminal and JSON is not asked for.
struct QuietProgress: ProgressDisplay {
  let report: FailureReport

  func show(_ event: RenderEvent) {
    switch event {
    case .started(_, _, let warmUp, _, _): WarmUpNote.write(warmUp)
    case .failed(_, let error): _ = report.exitCode(for: error)
    case .warmedUp, .written, .encoded, .rendered, .sheetWritten: break
    }
  }
  func finish(_ summary: RenderSummary) {}
}

/// A bar on the terminal: frames done, frames a second, time left.
final class TerminalProgress: ProgressDisplay {
  private struct State {
    /// Frames, those included that are rendered only for others.
    var total = 0
    var done = 0
    /// How many of those are still expected.
    var warmUpLeft = 0
    var start = ContinuousClock.now
    /// Seconds and bytes of the video so far; nil where none is written.
    var video: (seconds: Double, bytes: Int)?
    var lastDrawn: ContinuousClock.Instant?
  }

  private static let widestBar = 28
  private static let redrawInterval = Duration.milliseconds(80)
  private let report: FailureReport
  private let state = Mutex(State())

  init(report: FailureReport) { self.report = report }

  func show(_ event: RenderEvent) {
    state.withLock { state in
      switch event {
      case .started(let frames, let kept, let warmUp, let size, let device):
        state = State(total: frames + warmUp, warmUpLeft: warmUp)
        let note = kept > 0 ? ", \(kept) kept" : ""
        let work = frames + kept > 0 ? frames.of("frame") : warmUp > 0 ? "checkpoints" : "a live stream"
        StandardError.write("\(work)\(note), \(size), on \(device)\n")
        WarmUpNote.write(warmUp)
      case .warmedUp:
        // A checkpoint that turns out to be damaged makes them more.
        guard state.warmUpLeft > 0 else { return }
        state.warmUpLeft -= 1
        state.done += 1
        draw(&state)
      case .written, .rendered:
        state.done += 1
        draw(&state)
      case .encoded(_, let seconds, let bytes):
        state.done += 1
        state.video = (seconds, bytes)
        draw(&state)
      case .failed(_, let error):
        state.done += 1
        StandardError.rewrite("")
        _ = report.exitCode(for: error)
        draw(&state)
      case .sheetWritten(let path): StandardError.rewrite("contact sheet: \(path)\n")
      }
    }
  }

  func finish(_ summary: RenderSummary) {
    state.withLock { state in
      let seconds = (ContinuousClock.now - state.start) / .seconds(1)
      let failed = summary.failed > 0 ? ", \(summary.failed) failed" : ""
      let end = summary.wasInterrupted ? "interrupted" : "done"
      StandardError.rewrite("\(end): \(summary.written) written\(failed) in \(Self.time(seconds))\n")
    }
  }

  private func draw(_ state: inout State) {
    let now = ContinuousClock.now
    if let last = state.lastDrawn, now - last < Self.redrawInterval, state.done < state.total { return }
    state.lastDrawn = now
    let seconds = (now - state.start) / .seconds(1)
    let rate = seconds > 0 ? Double(state.done) / seconds : 0
    let left = rate > 0 ? Self.time(Double(state.total - state.done) / rate) : "?"
    let video = state.video.map { video in
      let speed = seconds > 0 ? video.seconds / seconds : 0
      return "  \(Self.oneDecimal(speed))x real time  \(Self.oneDecimal(Double(video.bytes) / 1e6)) MB"
    }
    guard state.total > 0 else {
      return StandardError.rewrite("\(state.done.of("frame"))  \(Self.oneDecimal(rate)) frames/s\(video ?? "")")
    }
    let numbers = "\(state.done)/\(state.total)  \(Self.oneDecimal(rate)) frames/s\(video ?? "")  \(left) left"
    // A line that wraps could not be drawn over.
    let width = max(0, min(Self.widestBar, Self.terminalWidth - numbers.count - 2))
    let filled = state.total > 0 ? width * state.done / state.total : 0
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    StandardError.rewrite("\(bar) \(numbers)")
  }

  private static var terminalWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(oneDecimal(seconds)) s" }
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}

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
    /// Of the video so far.
    var seconds: Double?
    var bytes: Int?
    var error: String?
    var interrupted: Bool?
  }

  let report: FailureReport

  func show(_ event: RenderEvent) {
    switch event {
    case .started(let frames, let kept, let warmUp, let size, let device):
      write(Line(event: "started", frames: frames, kept: kept, warmUp: warmUp > 0 ? warmUp : nil, size: "\(size)", device: device))
    case .warmedUp: break
    case .written(let frame, let paths): write(Line(event: "frame", frame: frame, path: paths.first, paths: paths.count > 1 ? paths : nil))
    case .encoded(let frame, let seconds, let bytes): write(Line(event: "encoded", frame: frame, seconds: seconds, bytes: bytes))
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

/// Prints the lines by which Open Job Description (2023-09, "How Jobs Are Run") tells of progress, on standard output.
final class OpenJobProgress: ProgressDisplay {
  private let report: FailureReport
  private let state = Mutex((done: 0, total: 0))

  init(report: FailureReport) { self.report = report }

  func show(_ event: RenderEvent) {
    switch event {
    case .started(let frames, let kept, let warmUp, _, let device):
      state.withLock { $0 = (0, frames + warmUp) }
      Self.write("status", "\(frames.of("frame")) on \(device)\(kept > 0 ? ", \(kept) kept" : "")")
      Self.write("progress", "0.0")
    case .warmedUp, .written, .encoded, .rendered: advance()
    case .failed(let frame, let error):
      _ = report.exitCode(for: error)
      Self.write("fail", "frame \(frame): \(error.diagnostic.message)")
    case .sheetWritten: break
    }
  }

  func finish(_ summary: RenderSummary) {
    Self.write("status", "\(summary.written.of("frame")) written\(summary.failed > 0 ? ", \(summary.failed) failed" : "")")
  }

  private func advance() {
    let (done, total) = state.withLock { state in
      state.done += 1
      return state
    }
    // A checkpoint that turns out to be damaged makes more frames.
    guard total > 0, done <= total else { return }
    let tenths = done * 1000 / total
    Self.write("progress", "\(tenths / 10).\(tenths % 10)")
  }

  /// Tells of what ended the command.
  static func tell(_ failure: any Error) {
    let diagnostic: Diagnostic? =
      switch failure {
      case let error as RenderError: error.diagnostic
      case let error as DiagnosticsError: error.diagnostics.first { $0.severity == .error } ?? error.diagnostics.first
      case let error as UsageError: error.diagnostics.first
      default: nil
      }
    write("fail", diagnostic?.message ?? "\(failure)")
  }

  private static func write(_ kind: String, _ text: String) {
    StandardOutput.write("openjd_\(kind): \(text.split(whereSeparator: \.isNewline).joined(separator: " "))\n")
  }
}
