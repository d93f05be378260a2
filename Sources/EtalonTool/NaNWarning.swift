import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes

/// Says which frames of a shot hold NaN, and what finds out why.
struct NaNWarning {
  let command: RenderCommand
  let shot: Shot

  /// One warning for each output that holds some, about the frames since it was asked last.
  ///
  /// Where no output shows any, what passes hand on to later frames and to mipmaps counts.
  func takeAll() -> [Diagnostic] {
    let shown = shot.takeFramesWithNaN().map(warning)
    return shown.isEmpty ? shot.takeHiddenNaN().map(warning) : shown
  }

  private func warning(_ hidden: HiddenNaN) -> Diagnostic {
    let message =
      switch hidden.reader {
      case .laterFrames: "the pass '\(hidden.pass)' keeps NaN after frame \(hidden.frame), which the frames after it read"
      case .mipmaps: "the pass '\(hidden.pass)' has NaN in its mipmaps on frame \(hidden.frame), which hand it on to whole blocks of pixels"
      }
    return Diagnostic("render.not-a-number", message, severity: .warning, help: [help(frame: hidden.frame)])
  }

  private func warning(_ frames: FramesWithNaN) -> Diagnostic {
    let name = name(ofOutput: frames.output)
    let message: String
    if frames.count > 1 {
      message = "\(frames.count) frames of \(name) hold NaN, stored as 0, the first of them frame \(frames.first)"
    } else if shot.frames.count > 1 {
      message = "frame \(frames.first) of \(name) holds NaN, stored as 0"
    } else {
      message = "\(name) holds NaN, stored as 0"
    }
    return Diagnostic("render.not-a-number", message, severity: .warning, help: [help(frame: frames.first)])
  }

  private func name(ofOutput index: Int) -> String {
    let options = command.files.output.map { OutputOption($0) }
    guard let option = options.first(where: { shot.index(ofOutput: $0.output) == index }) else {
      return command.files.contactSheet.map { "'\($0)'" } ?? "the result"
    }
    return option.path == "-" ? "standard output" : "'\(option.path)'"
  }

  // MARK: What finds out why

  private func help(frame: Int) -> String {
    if command.stages == ["-"] { return "save the shader as a file, and 'etalon sanitize' tells where it comes from" }
    return "see where it comes from: \(sanitizing(frame).map(ShellWord.quoted).joined(separator: " "))"
  }

  /// `etalon sanitize` of the same frame, word by word.
  private func sanitizing(_ frame: Int) -> [String] {
    var words = ["etalon", "sanitize", command.stages.joined(separator: " | "), "--size", "\(shot.size)"]
    func add(_ option: String, _ values: [String?]) { for value in values.compactMap(\.self) { words += [option, value] } }
    if let time = command.time.time { add("--time", [time]) } else { add("--frames", ["\(frame)"]) }
    add("--duration", [command.time.duration ?? shot.impliedDuration])
    // A shot may have the rate and the numbers of its pictures.
    add("--rate", [command.time.rate ?? (shot.clock.rate == .sixty ? nil : "\(shot.clock.rate)")])
    add("--first", [command.time.first ?? (shot.clock.first == 0 ? nil : "\(shot.clock.first)")])
    add("--start", [command.time.start])
    add("-i", command.pictures.i)
    add("--input", command.pictures.input)
    add("--assets", [command.pictures.assets])
    add("--set", command.values.set)
    add("--mouse", [command.values.mouse])
    add("--date", [command.values.date])
    add("--dialect", [command.running.dialect])
    add("--library", command.libraries.library)
    return words
  }
}
