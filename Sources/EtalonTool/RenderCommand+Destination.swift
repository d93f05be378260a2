import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

extension RenderCommand {
  /// How the frames follow each other on standard output; nil when they go into files.
  func streamFormat(for request: RenderRequest) throws -> FrameStreamFormat? {
    guard files.output.contains("-") else { return nil }
    try refuseBesideStream()
    let format = try OptionText("--stream", files.stream).choice(of: ["y4m": FrameStreamFormat.y4m, "raw": .raw])
    guard format == .raw || request.bits == 8 else {
      throw UsageError(
        "usage.stream", "a y4m stream has 8 bits a channel, not \(request.bits)", help: "type '--stream raw' or leave out '--bits'")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw UsageError(
        "usage.terminal", "'-o -' writes pixels to standard output, which is a terminal",
        help: "type '-o - | ffmpeg -i - video.mp4', '-o - > frames.\(format == .raw ? "raw" : "y4m")', or '-o frames.####.png'")
    }
    return format
  }

  /// Refuses what a stream of frames cannot do.
  func refuseBesideStream() throws {
    guard files.output.contains("-") else { return }
    let options = [
      ("other outputs", files.output.count > 1), ("'--contact-sheet'", files.contactSheet != nil), ("'--resume'", files.resume),
      ("'--watch'", running.watch), ("'--keep-going'", running.keepGoing), ("'--json'", running.json),
    ]
    let given = options.filter(\.1).map(\.0).joined(separator: ", ")
    guard given.isEmpty else {
      throw UsageError(
        "usage.stream", "'-o -' writes one stream of frames and nothing else",
        help: "leave out \(given), or type '-o frames.####.png' for files")
    }
  }

  /// How the shot follows a sequence of pictures: where the frames go into numbered files, a stream or a contact sheet, and nothing says which are wanted.
  func following(_ request: RenderRequest) -> RenderRequest.Following? {
    guard case .single(time: nil) = request.frames, values.sweep.isEmpty else { return nil }
    let paths = files.output.map { OutputOption($0).path }
    let isSequence = paths.contains { path in path == "-" || (try? FramePattern(path))?.hasNumber ?? false }
    guard isSequence || paths.isEmpty && files.contactSheet != nil else { return nil }
    return RenderRequest.Following(followsRate: time.rate == nil, followsNumbers: time.first == nil)
  }

  /// Where the frames go; refuses names that cannot hold what is asked for.
  func destination(for request: RenderRequest) throws -> SequenceExport.Destination {
    guard !files.output.isEmpty || files.contactSheet != nil else {
      throw UsageError("usage.output", "nothing says where the pictures go", help: "type '-o picture.png' or '-o frames.####.png'")
    }
    let wanted = try files.output.map { text in
      let option = OutputOption(text)
      return SequenceExport.Destination.Files(output: option.output, pattern: try Self.pattern(option.path))
    }
    for file in wanted { try checkName(file.pattern, request) }
    try checkNamesDiffer(wanted)
    if let sheet = files.contactSheet {
      try Self.checkExtension(sheet, option: "--contact-sheet")
      if wanted.contains(where: { $0.pattern.writes(sheet) }) {
        throw UsageError(
          "usage.same-name", "'--output' and '--contact-sheet' both write '\(sheet)'", help: "give the contact sheet another name")
      }
    }
    try checkInputsSurvive(wanted.map(\.pattern), request)
    var destination = SequenceExport.Destination(files: wanted, contactSheet: files.contactSheet)
    destination.policy = files.overwrite ? .anything : .ownFrames
    destination.resumes = files.resume
    destination.keepsGoing = running.keepGoing
    return destination
  }

  /// Refuses two outputs with one name, and an output that is asked for twice without a name.
  private func checkNamesDiffer(_ files: [SequenceExport.Destination.Files]) throws {
    for (index, file) in files.enumerated() {
      guard let other = files[..<index].first(where: { $0.pattern.collides(with: file.pattern) || $0.output == file.output }) else {
        continue
      }
      if other.output == file.output {
        throw UsageError(
          "usage.repeated",
          "\(file.output.map { "the output '\($0)'" } ?? "the result") has two files, '\(other.pattern)' and '\(file.pattern)'",
          help: "keep one of them; a further output of the filter is written '-o name=\(file.pattern)'")
      }
      throw UsageError(
        "usage.same-name", "two outputs would write the same files, '\(other.pattern)' and '\(file.pattern)'",
        help: "give one of them another name")
    }
  }

  private static func pattern(_ text: String) throws -> FramePattern {
    do throws(DiagnosticsError) { return try FramePattern(text) } catch { throw UsageError(diagnostics: error.diagnostics) }
  }

  /// Refuses to write over a picture that is read: the second run would not see what the first one saw.
  private func checkInputsSurvive(_ patterns: [FramePattern], _ request: RenderRequest) throws {
    for input in request.namedPictures {
      let isSheet = files.contactSheet.map { samePlace($0, input.path) } ?? false
      let path = try Self.picture(of: input)
      guard isSheet || patterns.contains(where: { $0.writes(path) }) else { continue }
      throw UsageError(
        "usage.same-name", "'\(isSheet ? "--contact-sheet" : "--output")' would replace '\(input.path)', which is an input",
        help: "give the result another name")
    }
  }

  /// The path of an input, or that of a picture of the sequence.
  private static func picture(of input: RenderRequest.InputPicture) throws -> String {
    input.sequence == nil ? input.path : try FramePattern(input.path).path(frame: 1_000_000_000)
  }

  private func checkName(_ pattern: FramePattern, _ request: RenderRequest) throws {
    try Self.checkExtension(pattern.description, option: "--output")
    if case .range(let range) = request.frames { try Self.checkName(pattern, frameCount: range.count) }
  }

  /// Refuses one name for several frames.
  static func checkName(_ pattern: FramePattern, frameCount: Int) throws {
    guard frameCount > 1, !pattern.hasNumber else { return }
    let stem = pattern.description.split(separator: ".").dropLast().joined(separator: ".")
    throw UsageError(
      "usage.pattern", "\(frameCount) frames cannot all be called '\(pattern)'", help: "type '-o \(stem).####.png'")
  }

  static func checkExtension(_ path: String, option: String) throws {
    guard path.lowercased().hasSuffix(".png") else {
      let name = path.split(separator: "/").last ?? ""
      let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
      let stem = ending.dropFirst().first?.isLetter ?? false ? path.dropLast(ending.count) : path[...]
      throw UsageError(
        "usage.format", "'\(option)' writes PNG files, and '\(path)' does not end in .png", help: "type '\(option) \(stem).png'")
    }
  }

  /// The sweep that was asked for.
  func sweep(of request: RenderRequest) throws -> Sweep? {
    guard let name = values.sweep.first else { return nil }
    let typed = name.split(separator: "=", maxSplits: 1).map { $0.replacing(",", with: " ") }
    let example = "type '--sweep \(typed.count == 2 ? typed.joined(separator: " ") : "\(name) 1 2 4") -o sheet.png'"
    guard values.sweep.count > 1 else {
      throw UsageError("usage.sweep", "'--sweep' names a constant and its values, found only '\(name)'", help: example)
    }
    guard let path = files.output.first, files.output.count == 1, OutputOption(path).output == nil, files.contactSheet == nil else {
      throw UsageError("usage.sweep", "a sweep is one picture, and '-o' says where it goes", help: example)
    }
    try Self.checkExtension(path, option: "--output")
    if try Self.pattern(path).hasNumber {
      throw UsageError("usage.sweep", "a sweep is one picture, and '\(path)' has a frame number", help: example)
    }
    if case .range(let range) = request.frames, range.count > 1 {
      throw UsageError("usage.sweep", "a sweep shows one frame for each value, not \(range.count)", help: "type '--frames \(range.first)'")
    }
    try checkInputsSurvive([try Self.pattern(path)], request)
    return Sweep(name: name, values: Array(values.sweep.dropFirst()), path: path, policy: files.overwrite ? .anything : .ownFrames)
  }
}

extension FramePattern {
  /// Whether two patterns write the same files, or the same side-car.
  fileprivate func collides(with other: FramePattern) -> Bool {
    guard hasNumber, other.hasNumber else { return writes(other.path(frame: 0)) || other.writes(path(frame: 0)) }
    return samePlace(SequenceSidecar.path(for: self), SequenceSidecar.path(for: other))
  }

  /// Whether a path is the name of one of the frames, however it is spelled.
  fileprivate func writes(_ path: String) -> Bool {
    if !hasNumber { return samePlace(self.path(frame: 0), path) }
    let other = URL(filePath: path)
    return frame(ofName: other.lastPathComponent) != nil
      && samePlace(folder.isEmpty ? "." : folder, other.deletingLastPathComponent().path(percentEncoded: false))
  }
}

/// Whether two paths name the same place; symbolic links are followed.
private func samePlace(_ a: String, _ b: String) -> Bool {
  func place(_ path: String) -> [String] { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.pathComponents }
  return place(a) == place(b)
}

extension UsageError {
  init(_ id: String, _ message: String, help: String) {
    self.init(diagnostics: [Diagnostic(id, message, help: [help])])
  }
}
