package import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
package import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes

/// Renders the sound pass of a ShaderToy, block by block as a player does.
///
/// ```swift
/// let export = try SoundExport(request, samples: 0..<44_100, with: renderer)
/// let result = try export.run()
/// ```
///
/// **Concurrency**: `run` blocks its thread.
package struct SoundExport: Sendable {
  /// A sound, and what became of samples that no file can hold.
  package struct Result: Sendable {
    /// With fewer samples where an interruption ended it.
    package let sound: Sound
    /// How many blocks were rendered.
    package let summary: RenderSummary
    package let notes: [Diagnostic]
  }

  /// Samples a second of the site's player.
  package static let usualSampleRate = 44_100
  package static let sampleRates = 1_000...768_000
  /// The seconds that the site's player puts into a file.
  package static let usualSeconds = 60
  /// The most samples of a channel: they are held in memory.
  package static let mostSamples = 1 << 27

  private let shot: Shot
  private let samples: Range<Int>
  private let sampleRate: Int

  /// The id of the note that no picture depends on the sound pass.
  package static let passNote = ShaderToySound.passNote

  /// Reads and compiles the sound pass; errors in it are thrown as diagnostics, and that there is none, too (`hasNone`).
  ///
  /// - Parameter samples: the samples that are wanted; number 0 is the one at time 0.
  package init(
    _ request: RenderRequest, samples: Range<Int>, rate sampleRate: Int = usualSampleRate, with renderer: ShotRenderer
  ) throws {
    precondition(!samples.isEmpty && samples.count <= Self.mostSamples && samples.lowerBound >= 0, "no samples, or too many")
    (self.samples, self.sampleRate) = (samples, sampleRate)
    shot = try renderer.prepare(request.hearing(samples, at: sampleRate))
  }

  /// Whether an error says that a filter makes no sound.
  package static func hasNone(_ error: any Error) -> Bool {
    (error as? DiagnosticsError)?.diagnostics.contains { $0.id == ShaderToySound.noSound } ?? false
  }

  /// What reading the pass had to say; of notes only the one about look-alikes, because the others are about the text.
  package var warnings: [Diagnostic] { shot.warnings.filter { $0.severity != .note || $0.id == Lookalikes.noteID } }

  /// Renders all samples.
  package func run(
    observe: (RenderEvent) -> Void = { _ in }, isInterrupted: () -> Bool = { false }
  ) throws(RenderError) -> Result {
    var channels = [[Float]](repeating: [], count: 2)
    for index in channels.indices { channels[index].reserveCapacity(samples.count) }
    observe(.started(frames: shot.frames.count, kept: 0, warmUp: 0, size: shot.size, device: shot.deviceName))
    var count = 0
    for block in shot.frames {
      guard !isInterrupted(), let pending = try shot.submit(block, isInterrupted: isInterrupted) else {
        break
      }
      defer { pending.release() }
      try pending.wait()
      append(shot.pixels(of: pending), block, to: &channels)
      observe(.rendered(label: "\(block)"))
      count += 1
    }
    var report = SampleReport(first: samples.lowerBound, sampleRate: sampleRate)
    for index in channels.indices { report.clean(&channels[index]) }
    return Result(
      sound: Sound(sampleRate: sampleRate, channels: channels),
      summary: RenderSummary(written: count, kept: 0, failed: 0, wasInterrupted: count < shot.frames.count),
      notes: report.diagnostics + shot.sourceNotes)
  }

  /// Adds the samples of a block that are wanted; its lowest row is the first.
  private func append(_ block: PixelBuffer, _ number: Int, to channels: inout [[Float]]) {
    let side = ShaderToySound.side, start = number * ShaderToySound.blockLength
    let wanted = max(samples.lowerBound, start) - start..<min(samples.upperBound, start + ShaderToySound.blockLength) - start
    unsafe block.bytes.withUnsafeBytes { bytes in
      let floats = unsafe bytes.bindMemory(to: Float.self)
      for place in wanted {
        let pixel = 4 * ((side - 1 - place / side) * side + place % side)
        for channel in 0..<2 { unsafe channels[channel].append(floats[pixel + channel]) }
      }
    }
  }
}

/// What samples hold that a file of whole numbers cannot.
private struct SampleReport {
  private let first: Int
  private let sampleRate: Int
  private var notNumbers: (count: Int, first: Int) = (0, .max)
  private var loud: (count: Int, first: Int, peak: Float) = (0, .max, 1)

  init(first: Int, sampleRate: Int) { (self.first, self.sampleRate) = (first, sampleRate) }

  /// Makes NaN silence, and cuts what is louder than a file holds.
  mutating func clean(_ samples: inout [Float]) {
    for place in samples.indices where !(abs(samples[place]) <= 1) {
      if samples[place].isNaN {
        notNumbers = (notNumbers.count + 1, min(notNumbers.first, place))
        samples[place] = 0
      } else {
        loud = (loud.count + 1, min(loud.first, place), max(loud.peak, abs(samples[place])))
        samples[place] = samples[place] < 0 ? -1 : 1
      }
    }
  }

  var diagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    if notNumbers.count > 0 {
      found.append(
        Diagnostic(
          "sound.not-a-number",
          "\(notNumbers.count.of("sample")) of the sound pass \(notNumbers.count == 1 ? "is" : "are") NaN, stored as silence, the first at \(time(notNumbers.first)) s",
          severity: .warning, help: ["look for divisions by 0, and for roots, powers and logarithms of negative numbers"]))
    }
    if loud.count > 0 {
      found.append(
        Diagnostic(
          "sound.clipped",
          "\(loud.count.of("sample")) of the sound pass \(loud.count == 1 ? "lies" : "lie") beyond -1 and 1 and \(loud.count == 1 ? "is" : "are") cut there, the first at \(time(loud.first)) s; the loudest is \(ClockReading.short(Double(loud.peak)))",
          severity: .warning, help: ["multiply the result of 'mainSound' by a smaller number"]))
    }
    return found
  }

  private func time(_ place: Int) -> String { ClockReading.short(Double(first + place) / Double(sampleRate)) }
}

extension RenderRequest {
  /// The same filter with blocks of its sound as frames.
  fileprivate func hearing(_ samples: Range<Int>, at sampleRate: Int) -> RenderRequest {
    var request = self
    let blocks = samples.lowerBound / ShaderToySound.blockLength...(samples.upperBound - 1) / ShaderToySound.blockLength
    guard let frames = FrameRange(blocks) else { preconditionFailure("too many blocks") }
    (request.part, request.sampleRate) = (.sound, sampleRate)
    (request.size, request.proxy) = (Size(ShaderToySound.side, ShaderToySound.side), .whole)
    (request.frames, request.clock, request.shot, request.following) = (.range(frames), ShotClock(), nil, nil)
    (request.frameTimes, request.checkpoints) = ([], nil)
    (request.bits, request.alpha, request.planes, request.format, request.workingSpace) = (32, nil, nil, nil, .encoded)
    (request.outputs, request.outputForms, request.neededOutputs) = ([], [:], nil)
    (request.pointer, request.eventsFile) = (nil, nil)
    return request
  }
}

// MARK: the sound of a video

extension SoundExport {
  /// The sound that is heard with a shot from its first wanted frame on; nil where its filter makes none.
  ///
  /// Values and pictures that only other passes of the filter know are left out.
  package init?(heardWith shot: Shot, _ request: RenderRequest, rate sampleRate: Int, with renderer: ShotRenderer) throws {
    guard let location = request.filter, location != .standardInput, let first = shot.frames.first else { return nil }
    let start = (shot.time(of: first) * Rational(sampleRate)).floor
    let exact = Rational(shot.frames.count) * shot.rate.frameDuration * Rational(sampleRate)
    let count = Rational(exact.floor) == exact ? exact.floor : exact.floor + 1
    guard start >= 0, count > 0 else { return nil }
    guard count <= Self.mostSamples else {
      throw RenderError(
        .invalidInput, "the sound of the video would have more than \(Self.mostSamples) samples", help: ["type '--sound none'"])
    }
    var options = FilterReader.Options()
    options.part = .sound
    options.dialect = request.dialect.flatMap(FilterManifest.Dialect.init)
    let manifest: FilterManifest
    do { manifest = try FilterText(location).reading(options).manifest } catch {
      if Self.hasNone(error) { return nil }
      throw error
    }
    var request = request
    let names = Set(manifest.parameters.map(\.name) + manifest.constants.map(\.name))
    let inputs = Set(manifest.inputs.map(\.name))
    request.settings = request.settings.filter { names.contains($0.name) }
    request.inputs = request.inputs.filter { $0.input.map(inputs.contains) ?? false }
    request.samplers = request.samplers.filter { inputs.contains($0.input) }
    try self.init(request, samples: start..<start + count, rate: sampleRate, with: renderer)
  }
}
