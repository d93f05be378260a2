import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes

extension RenderCommand {
  /// Where the frames go; refuses names that cannot hold what is asked for.
  func destination(for request: RenderRequest) throws -> SequenceExport.Destination {
    guard files.output != nil || files.contactSheet != nil else {
      throw UsageError("usage.output", "nothing says where the pictures go", help: "type '-o picture.png' or '-o frames.####.png'")
    }
    let pattern = try files.output.map { text in try FramePattern(text) }
    if let pattern { try checkName(pattern, request) }
    if let sheet = files.contactSheet {
      try Self.checkExtension(sheet, option: "--contact-sheet")
      if let pattern, pattern.path(frame: 0) == sheet || pattern.frame(ofPath: sheet) != nil {
        throw UsageError(
          "usage.same-name", "'--output' and '--contact-sheet' both write '\(sheet)'", help: "give the contact sheet another name")
      }
    }
    var destination = SequenceExport.Destination(pattern: pattern, contactSheet: files.contactSheet)
    destination.policy = files.overwrite ? .anything : .ownFrames
    destination.resumes = files.resume
    destination.keepsGoing = running.keepGoing
    return destination
  }

  private func checkName(_ pattern: FramePattern, _ request: RenderRequest) throws {
    try Self.checkExtension(pattern.description, option: "--output")
    guard case .range(let range) = request.frames, range.count > 1, !pattern.hasNumber else { return }
    let stem = pattern.description.split(separator: ".").dropLast().joined(separator: ".")
    throw UsageError(
      "usage.pattern", "\(range.count) frames cannot all be called '\(pattern)'", help: "type '-o \(stem).####.png'")
  }

  static func checkExtension(_ path: String, option: String) throws {
    guard path.lowercased().hasSuffix(".png") else {
      let name = path.split(separator: "/").last ?? ""
      let stem = name.lastIndex(of: ".").map { dot in path.dropLast(name.distance(from: dot, to: name.endIndex)) } ?? path[...]
      throw UsageError(
        "usage.format", "'\(option)' writes PNG files, and '\(path)' does not end in .png", help: "type '\(option) \(stem).png'")
    }
  }

  /// The sweep that was asked for.
  func sweep() throws -> Sweep? {
    guard let name = values.sweep.first else { return nil }
    let example = "type '--sweep \(name) 1 2 4 -o sheet.png'"
    guard values.sweep.count > 1 else {
      throw UsageError("usage.sweep", "'--sweep' names a constant and its values, found only '\(name)'", help: example)
    }
    guard let path = files.output, files.contactSheet == nil else {
      throw UsageError("usage.sweep", "a sweep is one picture, and '-o' says where it goes", help: example)
    }
    try Self.checkExtension(path, option: "--output")
    if try FramePattern(path).hasNumber {
      throw UsageError("usage.sweep", "a sweep is one picture, and '\(path)' has a frame number", help: example)
    }
    return Sweep(name: name, values: Array(values.sweep.dropFirst()), path: path, policy: files.overwrite ? .anything : .ownFrames)
  }
}

extension UsageError {
  init(_ id: String, _ message: String, help: String) {
    self.init(diagnostics: [Diagnostic(id, message, help: [help])])
  }
}
