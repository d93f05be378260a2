internal import EtalonComparison
internal import EtalonTypes

/// Finds out whom a difference on a device is to be blamed on, with the help of Etalon's own executor.
///
/// First it renders the case itself: when it differs from the reference, too, something changed. Then it makes errors on purpose, as devices may make them;
/// pixels that move with them, and their neighbors, have no right value.
struct BlameCheck {
  /// Errors of one kind, and what pixels hang on that they move.
  private static let errors: [(words: String, devices: [String])] = [
    ("the last bits of elementary functions", (1...3).map { "cpu:last-place=\($0)" }),
    ("how finely textures are filtered", (1...6).map { "cpu:sampling=\($0)" }),
    ("errors of elementary functions that Vulkan allows", (1...3).map { "cpu:specification=\($0)" }),
    ("what operations give where they are not defined", (1...3).map { "cpu:undefined=\($0)" }),
  ]

  private let run: CaseRun
  private let testCase: TestCase
  private let tolerance: Tolerance

  init(_ run: CaseRun, _ testCase: TestCase) {
    (self.run, self.testCase) = (run, testCase)
    tolerance = run.tolerance(testCase.tolerances)
  }

  /// The blame for some frames that differ from their references, and why, in one line; nil on Etalon's own executor.
  func blame(_ differing: [(frame: RenderedFrame, reference: PixelBuffer)]) -> (Blame, String)? {
    guard !run.device.isReference, !differing.isEmpty, let own = try? frames("cpu") else { return nil }
    for (frame, reference) in differing {
      let shown = own.first { $0.number == frame.number }?.levels(bits: reference.bits)
      guard let shown, shown.size == reference.size else { return nil }
      if comparePictures(shown, reference, tolerance: tolerance).verdict.isFailure {
        return (.change, "the CPU device does not show the reference either, so the shader, a value or an input changed")
      }
    }
    var unexplained = differing.map { outside($0.frame.levels(bits: $0.reference.bits), $0.reference) }
    let count = unexplained.reduce(0) { $0 + $1.count { $0 } }
    var reasons: [String] = []
    for kind in Self.errors {
      let before = unexplained.reduce(0) { $0 + $1.count { $0 } }
      for device in kind.devices {
        guard let moved = try? frames(device) else { continue }
        for (index, (frame, reference)) in differing.enumerated() {
          guard let perturbed = moved.first(where: { $0.number == frame.number }) else { continue }
          let reached = outside(perturbed.levels(bits: reference.bits), reference).withNeighbors(of: reference.size)
          unexplained[index] = zip(unexplained[index], reached).map { $0 && !$1 }
        }
      }
      if unexplained.reduce(0, { $0 + $1.count { $0 } }) < before { reasons.append(kind.words) }
      if !unexplained.contains(where: { $0.contains(true) }) { break }
    }
    let left = unexplained.reduce(0) { $0 + $1.count { $0 } }
    guard left > 0 else { return (.shader, "the same pixels hang on \(reasons.joined(separator: ", and on "))") }
    let share = left == count ? "none of the \(count) pixels moves" : "\(left) of the \(count) pixels do not move"
    return (.driver, "the CPU device shows the reference, and \(share) with errors that the specification allows")
  }

  private func frames(_ device: String) throws -> [RenderedFrame] {
    try CaseRenderer(device: device, library: run.library, timeout: run.settings.timeout).frames(of: testCase)
  }

  /// The pixels that differ by more than the tolerance bears in a single one.
  private func outside(_ actual: PixelBuffer, _ reference: PixelBuffer) -> [Bool] {
    let level = Int(tolerance.color.channel?.fail ?? tolerance.color.outlierLevel) * (reference.bits == 16 ? 257 : 1)
    let width = reference.format.bytesPerChannel
    return (0..<reference.size.pixelCount).map { pixel in
      (0..<4).contains { channel in
        let place = (pixel * 4 + channel) * width
        func value(_ picture: PixelBuffer) -> Int {
          width == 1 ? Int(picture.bytes[place]) : Int(picture.bytes[place]) | Int(picture.bytes[place + 1]) << 8
        }
        return abs(value(actual) - value(reference)) > level
      }
    }
  }
}

extension PixelBuffer {
  /// Bits a channel of a picture from a file.
  var bits: Int { format == .rgba16 ? 16 : 8 }
}

extension [Bool] {
  /// The marked pixels of a picture and those around them.
  fileprivate func withNeighbors(of size: Size) -> [Bool] {
    var grown = self
    for y in 0..<size.height {
      for x in 0..<size.width where self[y * size.width + x] {
        for row in Swift.max(0, y - 1)...Swift.min(size.height - 1, y + 1) {
          for column in Swift.max(0, x - 1)...Swift.min(size.width - 1, x + 1) { grown[row * size.width + column] = true }
        }
      }
    }
    return grown
  }
}
