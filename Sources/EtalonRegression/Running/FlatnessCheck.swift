internal import EtalonMedia
internal import EtalonTypes

/// Finds pictures that show one single color, and so would hide most of what can go wrong with a shader.
struct FlatnessCheck {
  private let testCase: TestCase

  init(_ testCase: TestCase) { self.testCase = testCase }

  /// Whether all pixels of all frames have the same color, in the form in which they are compared.
  func areFlat(_ frames: [RenderedFrame]) -> Bool {
    guard let first = frames.first, frames.contains(where: { $0.floats.size.pixelCount > 1 }) else { return false }
    let color = picture(first).bytes.prefix(pixelByteCount)
    return frames.allSatisfy { frame in
      let bytes = picture(frame).bytes
      return stride(from: 0, to: bytes.count, by: pixelByteCount).allSatisfy { bytes[$0..<$0 + pixelByteCount].elementsEqual(color) }
    }
  }

  /// What is wrong with frames of one color; nil where they have several, or the case allows it.
  func judge(_ frames: [RenderedFrame]) -> FrameResult? {
    guard !testCase.mayBeFlat, let first = frames.first, areFlat(frames) else { return nil }
    var found = FrameResult(check: "renders", moment: first.moment.text)
    (found.verdict, found.size, found.recipe) = (.failed, first.floats.size.description, first.provenance.recipe)
    let pictures = frames.count == 1 ? "\(first.moment.text): every pixel" : "every pixel of all \(frames.count) frames"
    let color = first.levels(bits: 8).bytes.prefix(4).map { "\($0)" }.joined(separator: " ")
    found.reason = "\(pictures) has the same color, \(color); \(testCase.advice(allowing: "flat"))"
    return found
  }

  private func picture(_ frame: RenderedFrame) -> PixelBuffer { isFloat ? frame.floats : frame.levels(bits: testCase.bits) }

  private var pixelByteCount: Int { isFloat ? 16 : testCase.bits / 2 }

  private var isFloat: Bool {
    guard case .pictures(let pictures) = testCase.reference else { return false }
    return pictures.contains { $0.path(0).lowercased().hasSuffix(".exr") }
  }
}

extension TestCase {
  /// What to write where a picture is as it should be that is refused usually.
  func advice(allowing word: String) -> String {
    let place = isPlain ? " into '\(CaseFiles.home(of: path))/basics.yaml'" : ""
    return "write 'allow: \(word)'\(place) if that is right"
  }
}
