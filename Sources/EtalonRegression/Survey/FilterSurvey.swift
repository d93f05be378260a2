internal import Etalon
package import EtalonInspection
internal import EtalonManifest
internal import EtalonMedia
internal import Foundation

/// Reads one filter, renders it on every device, and judges what came out.
///
/// **Concurrency**: blocks its thread.
struct FilterSurvey {
  /// Frames to look at when the usual ones show nothing: many shaders begin with black.
  private static let secondFrames = [60]

  private let path: String
  private let settings: SurveySettings
  private let observe: (SurveyRecord) -> Void
  private var record: SurveyRecord

  /// - Parameter observe: is given what is known before every step.
  init(_ path: String, _ settings: SurveySettings, observe: @escaping (SurveyRecord) -> Void) {
    self.path = path
    self.settings = settings
    self.observe = observe
    record = SurveyRecord(name: path)
  }

  /// Does all of it; only a crash ends it early.
  mutating func run() -> SurveyRecord {
    let start = ContinuousClock.now
    do {
      begin("reading")
      let manifest = try FilterFile.read(path, dialect: settings.inspection.dialect).manifest
      (record.dialect, record.kind) = (manifest.dialect.rawValue, manifest.kind.rawValue)
      try render(manifest, InspectionSettings.usualFrames(of: manifest))
      if record.verdict == .flat, settings.inspection.frames == nil, settings.inspection.time == nil, manifest.kind != .transition {
        try render(manifest, Self.secondFrames)
      }
      try checkSound(manifest)
    } catch {
      fail(error, nil)
    }
    record.step = ""
    let time = (ContinuousClock.now - start).components
    record.seconds = Double(time.seconds) + (Double(time.attoseconds) * 1e-16).rounded() / 100
    return record
  }

  private mutating func begin(_ step: String) {
    record.step = step
    observe(record)
  }

  private mutating func render(_ manifest: FilterManifest, _ frames: [Int]) throws {
    let plan = SurveyPlan(path: path, manifest, frames: frames, settings.inspection)
    record.command = plan.command(path, devices: settings.devices)
    (record.frames, record.verdict, record.reason) = ([], nil, "")
    var reference: [PixelBuffer]?
    var judge = SurveyJudge(plan, reference: settings.devices[0])
    for device in settings.devices {
      do {
        begin("compiling for \(device)")
        let renderer = ShotRenderer()
        let shot = try renderer.prepare(plan.request(on: device))
        var pictures: [PixelBuffer] = []
        for frame in shot.frames {
          begin("rendering frame \(frame) on \(device)")
          let picture = try shot.surveyPicture(of: frame)
          pictures.append(picture.levels)
          add(picture, frame, device, reference?[pictures.count - 1], &judge)
        }
        try renderer.checkValidation()
        if device == settings.devices[0] { reference = pictures }
      } catch let error as RenderError where error.code != .missingInput {
        fail(error, device)
      }
    }
    guard record.verdict == nil else { return }
    (record.verdict, record.reason) = judge.verdict(frames: record.frames)
    tellOfNumbers()
    guard record.verdict == .differs else { return }
    begin("looking for the reason")
    if let excuse = judge.excuse { (record.verdict, record.reason) = (.unstable, "\(record.reason); \(excuse)") }
  }

  private mutating func add(
    _ rendered: SurveyPicture, _ frame: Int, _ device: String, _ reference: PixelBuffer?, _ judge: inout SurveyJudge
  ) {
    let picture = rendered.levels
    var entry = SurveyRecord.Frame(device: device, frame: frame, isFlat: picture.isFlat)
    if rendered.notFinite > 0 { entry.notFinite = rendered.notFinite }
    entry.picture = picture.thumbnail
    if let reference {
      let difference = PictureDifference(reference, picture)
      entry.agreement = (difference.agreement * 10_000).rounded(.down) / 100
      entry.largest = difference.largest
      if difference.largest > 0 { entry.difference = difference.picture(reference, picture).thumbnail }
      judge.add(difference, frame: frame, reference)
    }
    record.frames.append(entry)
  }

  /// Tells of the frame with the most pixels that are not finite; that is the verdict where the devices agree.
  private mutating func tellOfNumbers() {
    guard let worst = record.frames.max(by: { ($0.notFinite ?? 0) < ($1.notFinite ?? 0) }), let count = worst.notFinite else { return }
    switch record.verdict {
    case .agrees, .renders, .flat: record.verdict = .notFinite
    default: break
    }
    let pixels = count == 1 ? "1 pixel is" : "\(count) pixels are"
    let words = "frame \(worst.frame) on \(worst.device): \(pixels) infinite or no number"
    record.reason = [record.reason, words].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// A sound that does not compile is a defect of the file, whatever its picture shows; what Etalon could not do stays that.
  private mutating func checkSound(_ manifest: FilterManifest) throws {
    guard manifest.dialect == .shaderToy, record.verdict.map({ !$0.isFailure && $0 != .defect }) ?? true else { return }
    begin("compiling the sound")
    let errors = try FilterCheck(notes: false, dialect: settings.inspection.dialect).soundErrors(path)
    if !errors.isEmpty { fail(DiagnosticsError(errors), nil) }
  }

  private mutating func fail(_ error: any Error, _ device: String?) {
    let (message, text) = Self.words(for: error)
    record.verdict = SurveyVerdict(of: error)
    record.reason = [record.reason, (device.map { "\($0): " } ?? "") + message].filter { !$0.isEmpty }.joined(separator: "; ")
    record.diagnostics += text
  }

  private static func words(for error: any Error) -> (message: String, text: String) {
    switch error {
    case let error as DiagnosticsError:
      let errors = error.diagnostics.filter { $0.severity == .error }
      let help = errors[0].id == SurveyVerdict.onlySound ? errors[0].help.first.map { "; \($0)" } ?? "" : ""
      return ("\(errors[0].message)\(help) [\(errors[0].id)]", DiagnosticPrinter().text(errors))
    case let error as RenderError: return (error.diagnostic.message, error.text)
    default: return ("\(error)", "")
    }
  }
}

extension PixelBuffer {
  /// A PNG of the picture, made smaller where it is large, in base64.
  fileprivate var thumbnail: String? {
    (try? HTMLPage.png(Thumbnail.scale(self, toFit: Size(320, 1280)))).map { Data($0).base64EncodedString() }
  }
}

// MARK: settings

/// How a survey renders filters: the same way for all of them.
package struct SurveySettings: Sendable {
  /// The executors that are compared: the others with the first.
  package var devices: [String] = ["cpu", "vulkan"]
  package var inspection = InspectionSettings()

  package init() {}
}

// MARK: pictures

/// A rendered frame as a survey looks at it: the levels that a file would have, and how many pixels were no numbers before.
private struct SurveyPicture {
  /// Eight bits a channel.
  let levels: PixelBuffer
  /// How many pixels have a channel that is no number, or infinite.
  let notFinite: Int

  /// Converts floats as files are written: no number becomes 0, halves round to even.
  init(floats: PixelBuffer) {
    precondition(floats.format == .rgba32f, "a picture of \(floats.format)")
    var bytes = [UInt8](repeating: 0, count: floats.bytes.count / 4)
    var notFinite = 0
    unsafe floats.bytes.withUnsafeBytes { raw in
      for pixel in 0..<floats.size.pixelCount {
        var isFinite = true
        for channel in 4 * pixel..<4 * pixel + 4 {
          let value = unsafe raw.loadUnaligned(fromByteOffset: 4 * channel, as: Float.self)
          isFinite = isFinite && value.isFinite
          bytes[channel] = value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded(.toNearestOrEven))
        }
        if !isFinite { notFinite += 1 }
      }
    }
    levels = PixelBuffer(size: floats.size, format: .rgba8, alpha: floats.alpha, bytes: bytes)
    self.notFinite = notFinite
  }
}

extension Shot {
  /// Renders one frame of a shot of floats.
  fileprivate func surveyPicture(of frame: Int) throws(RenderError) -> SurveyPicture { SurveyPicture(floats: try pixels(of: frame)) }

  /// The levels of one frame of a shot of floats.
  func picture(of frame: Int) throws(RenderError) -> PixelBuffer { try surveyPicture(of: frame).levels }
}
