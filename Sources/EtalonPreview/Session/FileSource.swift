internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo

/// A filter file, a graph document, or a filter by its name, without options.
struct FileSource: PreviewSource {
  private let file: String
  /// As `--device` has it; nil chooses.
  private let device: String?

  init(_ file: String, device: String? = nil) { (self.file, self.device) = (file, device) }

  var title: String { file.split(separator: "/").last.map(String.init) ?? file }

  func request(_ changes: PreviewChanges) throws -> RenderRequest {
    let library = FilterLibrary(try LibrarySearch(named: []))
    let path = try library.path(of: file)
    var request =
      GraphDocument.isGraph(path)
      ? RenderRequest(graph: try GraphDocument.read(path, library: library), library: library) : RenderRequest(filter: .file(path))
    request.settings = changes.values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
    for (name, value) in changes.inputs.sorted(by: { $0.key < $1.key }) {
      if let value { request.inputs.append(try InputText.picture(value, for: name, option: "--input \(name)")) }
    }
    request.standIns = [.testCards, .lookalikes]
    request.checkpoints = .user
    request.eventsFile = changes.eventsFile
    request.following = .init(followsRate: true, followsNumbers: true)
    if let duration = changes.duration { request.shot = try frames(lasting: duration, request.clock) }
    return request
  }

  private func frames(lasting text: String, _ clock: ShotClock) throws -> ClosedRange<Int> {
    guard let frames = clock.frames(lasting: text) else {
      throw DiagnosticsError(Diagnostic("usage.length", "'\(text)' is no length of a shot", help: ["type '10s' or '48f'"]))
    }
    return frames
  }

  func words(_ changes: PreviewChanges, _ wish: RenderWish) -> [String] {
    var words = CommandWords(["etalon", "render", file])
    words.add("--set", changes.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    words.add("--input", changes.inputs.sorted { $0.key < $1.key }.map { name, value in value.map { "\(name)=\($0)" } })
    words.add("--events", [changes.eventsFile])
    words.add("--duration", [wish.duration ?? changes.duration])
    words.add("--frames", [wish.frames])
    words.add("--time", [wish.time.map { "\($0)" }])
    words.add("--size", [wish.size])
    words.add("--device", [device])
    if wish.standsIn { words.add("--missing-input", ["test-card"]) }
    words.add("-o", [wish.output ?? "picture.png"])
    return words.words
  }

  func export(_ changes: PreviewChanges, _ wish: RenderWish) throws -> PreviewExport {
    var request = try request(changes)
    request.standIns = wish.standsIn ? .testCards : .lookalikes
    if let size = wish.size {
      let sides = size.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...16_384).contains($0) }) else {
        throw DiagnosticsError(Diagnostic("usage.size", "'\(size)' is no size", help: ["type '1280x720'"]))
      }
      request.size = Size(sides[0], sides[1])
    }
    if let duration = wish.duration { request.shot = try frames(lasting: duration, request.clock) }
    if let frames = wish.frames {
      request.frames = .range(try FrameRangeParser.parse(frames))
    } else if let shot = request.shot, let all = FrameRange(shot) {
      request.frames = .range(all)
    }
    guard let output = wish.output else { preconditionFailure("a job without an output") }
    if VideoContainer(path: output) != nil {
      let codec = try VideoCodec.choose(nil, for: output, alpha: false)
      guard let layout = codec.layout(alpha: codec == .prores4444, bits: request.bits) else {
        preconditionFailure("a codec without a layout")
      }
      return PreviewExport(request, to: .video(VideoExport.Destination(path: output, codec: codec, layout: layout)))
    }
    guard output.lowercased().hasSuffix(".png") else {
      throw DiagnosticsError(
        Diagnostic(
          "usage.format", "'\(output)' is neither a PNG file nor a video", help: ["type 'picture.png', 'frames.####.png' or 'video.mp4'"]))
    }
    let pattern = try FramePattern(output)
    return PreviewExport(request, to: .sequence(.init(files: [.init(pattern: pattern)], contactSheet: nil))) { shot in
      guard shot.frames.count == 1 || pattern.hasNumber else {
        throw DiagnosticsError(
          Diagnostic("usage.pattern", "\(shot.frames.count) frames cannot all be called '\(pattern)'", help: ["type 'name.####.png'"]))
      }
    }
  }
}
