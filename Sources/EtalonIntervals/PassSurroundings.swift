internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What the invocations of one pass read and write.
final class PassSurroundings: Surroundings {
  private let frame: FrameIntervals
  private let step: Int
  private let pass: Plan.Pass
  private let budget: Budget
  private let uniforms: [UInt8]
  private let uniformBinding: Int?
  private let region: [Int32]
  /// What was stored, by pixel and binding.
  private(set) var targets: [FrameIntervals.PixelKey: [Int: [Interval]]] = [:]
  /// Words of packed pixels, by binding and byte.
  private(set) var outputs: [Int: [Int: Interval]] = [:]
  /// Buffers that were read or written, by their numbers in the plan.
  var buffers: [Int: [Interval]] = [:]
  private var textures: [Int: ComputedTexture] = [:]
  var toucher: Toucher?
  var atomicKinds: [AtomicWord: Opcode] = [:]
  /// The last accesses to words of buffers that the pass writes.
  private var touches: [BufferWord: WordTouches] = [:]

  /// The invocation that stored a texel last, by pixel and binding.
  private var writers: [FrameIntervals.PixelKey: [Int: Toucher]] = [:]

  private struct BufferWord: Hashable {
    let buffer: Int
    let word: Int
  }

  init(_ frame: FrameIntervals, _ step: Int, _ pass: Plan.Pass, _ budget: Budget) {
    (self.frame, self.step, self.pass, self.budget) = (frame, step, pass, budget)
    uniforms = frame.uniforms(ofStep: step)
    uniformBinding = frame.plan.kernels[pass.kernel].interface.uniforms?.binding
    if case .pixels(let size) = pass.coverage {
      region = DispatchRegion(originX: 0, originY: 0, endX: size.width, endY: size.height).words
    } else {
      region = []
    }
  }

  // MARK: Words

  func word(binding: Int, byte: Int) throws(Stop) -> Interval {
    if binding == uniformBinding { return Interval(word: Self.word(uniforms, at: byte), isSigned: false) }
    switch pass.bindings[binding] {
    case .buffer(let number):
      try note(BufferWord(buffer: number, word: byte / 4), writes: false)
      let words = try contents(ofBuffer: number)
      return words.indices.contains(byte / 4) ? words[byte / 4] : Interval(0).because(.undefined)
    case .output: return outputs[binding]?[byte] ?? Interval(0)
    default: throw .unknown("a buffer that nothing is bound to", site: -1)
    }
  }

  /// Notes an access to a word; two accesses in no order end the pixel as unknown.
  private func note(_ word: BufferWord, writes: Bool) throws(Stop) {
    guard let toucher, pass.buffers.contains(word.buffer) else { return }
    guard touches[word, default: WordTouches()].add(toucher, writes: writes) else { throw .unknown("a race in a buffer", site: -1) }
  }

  private func contents(ofBuffer number: Int) throws(Stop) -> [Interval] {
    if let known = buffers[number] { return known }
    let words = try frame.buffer(number, before: step, budget)
    buffers[number] = words
    return words
  }

  func store(_ value: Interval, binding: Int, byte: Int, isCertain: Bool, because cause: Cause?) throws(Stop) {
    switch pass.bindings[binding] {
    case .buffer(let number):
      try note(BufferWord(buffer: number, word: byte / 4), writes: true)
      var words = try contents(ofBuffer: number)
      guard words.indices.contains(byte / 4) else { return }
      buffers[number] = nil
      words[byte / 4] = isCertain ? value : words[byte / 4].joined(value, because: cause ?? Cause(.comparison))
      buffers[number] = words
    default:
      let old = outputs[binding]?[byte] ?? Interval(0).asFloatBits
      outputs[binding, default: [:]][byte] = isCertain ? value : old.joined(value, because: value.cause ?? cause ?? Cause(.comparison))
    }
  }

  func pushConstant(byte: Int) -> Interval {
    byte / 4 < region.count ? Interval(Double(region[byte / 4])) : Interval(0)
  }

  func byteCount(binding: Int) -> Int {
    switch pass.bindings[binding] {
    case .buffer(let number): frame.plan.buffers[number].byteCount
    case .output(let number): frame.plan.outputs[number].byteCountWithMark(ofRows: frame.plan.outputs[number].size.height)
    default: uniforms.count
    }
  }

  private static func word(_ bytes: [UInt8], at start: Int) -> UInt32 {
    guard start + 4 <= bytes.count else { return 0 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
  }

  // MARK: Textures

  func texture(binding: Int) throws(Stop) -> any TextureReading {
    if let known = textures[binding] { return known }
    let (number, sampler): (Int, Sampler) =
      switch pass.bindings[binding] {
      case .sampled(let number, let sampler): (number, sampler)
      case .storage(let number, _): (number, Sampler(.nearest))
      default: throw .unknown("a texture that nothing is bound to", site: -1)
      }
    let texture = ComputedTexture(frame, number, frame.version(of: number, before: step), sampler, budget)
    textures[binding] = texture
    return texture
  }

  func storeTexel(_ channels: [Interval], binding: Int, x: Int, y: Int, z: Int, isCertain: Bool, because cause: Cause?) {
    let key = FrameIntervals.PixelKey(step: step, x: x, y: y)
    let writer = writers[key]?[binding]
    writers[key, default: [:]][binding] = toucher
    if let writer, let toucher, writer.races(toucher), let old = targets[key]?[binding] {
      // Two stores in no order: one of them is left, or parts of both.
      targets[key]?[binding] = zip(old, channels).map { $0.joined($1, because: Cause(.order)) }
      return
    }
    guard !isCertain else {
      targets[key, default: [:]][binding] = channels
      return
    }
    let old = targets[key]?[binding] ?? [Interval](repeating: Interval(0), count: 4)
    targets[key, default: [:]][binding] = zip(old, channels).map { $0.joined($1, because: $1.cause ?? cause ?? Cause(.comparison)) }
  }
}
