internal import EtalonComparison
internal import EtalonTypes

/// What is known of a case before anybody asks why it differs: its verdict stands, and its time is over.
package struct CaseWork {
  /// Frames that were compared, and what they were compared with.
  struct Compared {
    /// The case, with the rules that counted.
    let testCase: TestCase
    /// What they were compared with.
    let tolerance: Tolerance
    /// Where their results lie among those of the case.
    let places: Range<Int>
    let pictures: [(frame: RenderedFrame, reference: PixelBuffer?)]
  }

  package var result: CaseResult
  let testCase: TestCase
  /// The pictures of the case; none where it has none.
  var frames: [RenderedFrame] = []
  /// What a device showed that may differ from the CPU device.
  var compared: [Compared] = []
  /// The processor time that it took, in seconds.
  var processorSeconds: Double?

  init(_ result: CaseResult, _ testCase: TestCase) { (self.result, self.testCase) = (result, testCase) }

  /// Adds the results of frames that were compared with a reference or with the CPU device.
  ///
  /// - Parameter tolerance: what they were compared with.
  mutating func add(
    _ found: [(result: FrameResult, reference: PixelBuffer?)], _ frames: [RenderedFrame], _ testCase: TestCase, _ tolerance: Tolerance
  ) {
    let start = result.frames.count
    result.frames += found.map(\.result)
    compared.append(
      Compared(
        testCase: testCase, tolerance: tolerance, places: start..<result.frames.count,
        pictures: zip(frames, found).map { (frame: $0, reference: $1.reference) }))
  }

  /// Whether there is anything to find out.
  package var isOpen: Bool {
    result.verdict != .timedOut && compared.contains { $0.places.contains { result.frames[$0].verdict == .failed } }
  }
}

extension CaseResult {
  /// What is left where the specification was to judge frames, and could not be worked out: the plain comparison decides whether they fail.
  mutating func leaveToPlainComparison(_ why: String) {
    let open = frames.indices.filter { frames[$0].verdict == .failed && frames[$0].plain != nil }
    guard !open.isEmpty else { return }
    for index in open { frames[index].leaveToPlainComparison(why) }
    settle()
  }
}

extension FrameResult {
  /// The same for one frame; one that limits decide stays as it is.
  mutating func leaveToPlainComparison(_ why: String) {
    guard verdict == .failed, let plain, specification?.outsideForCertain ?? 0 == 0, differsInFiniteness != true else { return }
    verdict = plain.verdict == .pass ? .notWorkedOut : .failed
    reason = "\(prefix)not worked out whether Vulkan allows it (\(why)); compared plainly, \(plain.plainWords)"
  }
}
