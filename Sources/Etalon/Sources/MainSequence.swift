internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

extension RenderRequest {
  /// How a shot follows the numbered pictures that it is made of, where nothing says which frames are wanted: it has a frame for each of them.
  package struct Following: Sendable, Hashable {
    /// Whether the rate of the sequence is that of the shot, because no other one was asked for.
    package let followsRate: Bool
    /// Whether the first frame has the number of the first picture, because no other one was asked for.
    package let followsNumbers: Bool

    package init(followsRate: Bool, followsNumbers: Bool) {
      self.followsRate = followsRate
      self.followsNumbers = followsNumbers
    }
  }

  /// The same with the frames of the main sequence of its graph; nil where there is no sequence, or where the frames were asked for.
  func following(_ built: BuiltGraph) throws -> RenderRequest? {
    guard let following, let source = built.mainSequence else { return nil }
    var request = self
    request.following = nil
    let numbers = source.numbers(in: clock)
    request.clock = ShotClock(
      first: following.followsNumbers ? numbers.lowerBound : clock.first, start: clock.start,
      rate: following.followsRate ? source.rate ?? clock.rate : clock.rate)
    let length = source.end(in: request.clock).map { $0 - clock.start } ?? .zero
    // A sequence that is over before the shot begins, or stands still, has one frame, which says the rest.
    guard length > .zero else {
      request.frames = .single(time: nil)
      return request
    }
    guard let shot = request.clock.frames(lasting: length), let frames = FrameRange(shot) else {
      throw RenderError(
        .invalidInput, "the sequence '\(source.name)' lasts for more than the \(FrameRange.mostFrames) frames of one run",
        help: ["type '--duration 10s', or '--frames' for a part of it"])
    }
    (request.shot, request.frames) = (shot, .range(frames))
    return request
  }
}

extension BuiltGraph {
  /// The numbered pictures that a chain begins with: following main inputs from the first output, and where there are none, the others.
  fileprivate var mainSequence: SequenceSource? {
    var seen: Set<ContentHash> = []
    var open = Array((image.outputs.map(\.image) + image.feedback.sorted { $0.key < $1.key }.map(\.value)).reversed())
    while let image = open.popLast() {
      guard seen.insert(image.digest).inserted else { continue }
      switch image.operation {
      case .stream(let stream): if let found = sources[stream.name] as? SequenceSource { return found }
      case .picture, .before: continue
      case .filter(let use):
        let names = ([use.filter.mainInput].compactMap(\.self) + use.filter.manifest.inputs).map(\.name)
        open += names.reversed().compactMap { use.inputs[$0]?.image }
      }
    }
    return nil
  }
}
