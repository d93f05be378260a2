internal import EtalonManifest
internal import EtalonTypes

/// What is rendered of one filter: the same request for every device.
struct SurveyPlan {
  let request: RenderRequest
  /// Whether the command has to ask for test cards.
  private let needsTestCards: Bool
  private let isLengthGiven: Bool

  /// - Parameter frames: which frames, where the settings say nothing about that.
  init(path: String, _ manifest: FilterManifest, frames: [Int], _ settings: SurveySettings) {
    var request = RenderRequest(filter: .file(path))
    request.bits = 32
    request.dialect = settings.dialect
    request.size = settings.size
    request.assets = settings.assets
    request.inputs = Self.inputs(of: manifest, settings.pictures)
    request.standsInWithTestCards = settings.standsInWithTestCards || !manifest.inputs.contains(where: \.isAsset)
    needsTestCards = request.standsInWithTestCards && manifest.inputs.contains { $0.isRead && ($0.origin == .user || $0.isAsset) }
    if let time = settings.time {
      request.frames = .single(time: time)
    } else if let range = settings.frames ?? FrameRange(Self.chosen(frames, of: manifest, in: settings.shot)) {
      request.frames = .range(range)
    }
    request.shot = settings.shot
    // Frames that were chosen here are a shot of their own.
    if settings.shot == nil, settings.frames == nil, settings.time == nil { request.shot = request.wantedRange }
    isLengthGiven = settings.shot != nil
    self.request = request
  }

  /// The frames to look at, in the shot where one was given: of transitions its ends and its middle.
  private static func chosen(_ frames: [Int], of manifest: FilterManifest, in shot: ClosedRange<Int>?) -> [Int] {
    guard let shot else { return frames }
    if manifest.kind == .transition { return [shot.lowerBound, (shot.lowerBound + shot.upperBound) / 2, shot.upperBound] }
    let inside = frames.filter(shot.contains)
    return inside.isEmpty ? [shot.upperBound] : inside
  }

  /// Sounds for inputs that show sounds, pictures for the others.
  private static func inputs(of manifest: FilterManifest, _ paths: [String]) -> [RenderRequest.InputPicture] {
    let sounds = paths.filter { $0.lowercased().hasSuffix(".wav") }
    let inputs = manifest.inputs.filter { $0.isRead && $0.origin == .user && $0.shape == .flat }
    return assign(paths.filter { !sounds.contains($0) }, to: inputs.filter { $0.sound == nil })
      + assign(sounds, to: inputs.filter { $0.sound != nil })
  }

  /// The last file is for all inputs that follow.
  private static func assign(_ paths: [String], to inputs: [FilterInput]) -> [RenderRequest.InputPicture] {
    guard let last = paths.last else { return [] }
    return inputs.enumerated().map { index, input in .init(input: input.name, path: index < paths.count ? paths[index] : last) }
  }

  /// The same on a device.
  func request(on device: String) -> RenderRequest {
    var request = request
    request.device = device
    return request
  }

  /// The command that writes the same pictures, once for each device.
  func command(_ path: String, devices: [String]) -> String {
    var words = ["etalon", "render", ShellWord.quoted(path)]
    if let size = request.size { words += ["--size", "\(size)"] }
    switch request.frames {
    case .single(let time): words += time.map { ["--time", "\($0)"] } ?? []
    case .range(let range): words += ["--frames", range.description]
    }
    if isLengthGiven { words += ["--duration", "\(request.shotRange.count)f"] }
    for input in request.inputs { words += ["--input", ShellWord.quoted("\(input.input ?? "")=\(input.path)")] }
    if let assets = request.assets { words += ["--assets", ShellWord.quoted(assets)] }
    if needsTestCards { words += ["--missing-input", "test-card"] }
    if let dialect = request.dialect { words += ["--dialect", dialect] }
    let line = words.joined(separator: " ")
    if devices.count == 1 { return "\(line) --device \(ShellWord.quoted(devices[0])) -o 'frame.####.png'" }
    let names = devices.map(ShellWord.quoted).joined(separator: " ")
    return "for device in \(names); do \(line) --device \"$device\" -o \"$device.####.png\"; done"
  }
}

extension FilterInput {
  fileprivate var isAsset: Bool { if case .asset = origin { true } else { false } }
}
