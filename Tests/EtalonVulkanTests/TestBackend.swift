import EtalonDiagnostics
import EtalonPlan
import EtalonTypes
import Glibc
import Testing

@testable import EtalonVulkan

/// A backend that the validation layer watches.
func makeBackend(_ choice: DeviceChoice = .preferred, timeout: Duration? = nil, maxBandByteCount: Int? = nil) throws -> VulkanBackend {
  try VulkanBackend(
    choice, options: .init(validates: true, timeout: timeout, cacheFolder: nil, maxBandByteCount: maxBandByteCount))
}

/// Renders one frame of a plan; the validation layer must have nothing to say, also about the end of the device.
func render(
  _ plan: Plan, imports: [PixelBuffer] = [], uniforms: [[UInt8]]? = nil, output: Int = 0, maxBandByteCount: Int? = nil
) throws -> PixelBuffer {
  let log: ValidationLog?
  let picture: PixelBuffer
  do {
    let backend = try makeBackend(maxBandByteCount: maxBandByteCount)
    log = backend.validationLog
    let execution = try backend.prepare(PlanChecker().check(plan), imports: imports, framesInFlight: 3)
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: uniforms ?? plan.passes.map { _ in [] }))
    try frame.wait()
    picture = read(frame, plan.outputs[output], output)
    frame.release()
  }
  try #require(log).check()
  return picture
}

/// Copies an output of a frame, checking that its bands follow each other from the top down.
func read(_ frame: any PendingFrame, _ description: Plan.Output, _ output: Int = 0) -> PixelBuffer {
  var bytes: [UInt8] = []
  var nextRow = 0
  frame.withBands(of: output) { firstRow, rowCount, span in
    #expect(firstRow == nextRow)
    nextRow += rowCount
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }
  return PixelBuffer(size: description.size, format: description.format, alpha: description.alpha, bytes: bytes)
}

extension PixelBuffer {
  /// The channels of the pixel at a place, with the origin at the bottom left.
  func channels(_ x: Int, _ y: Int) -> [Int] {
    let start = ((size.height - 1 - y) * size.width + x) * format.bytesPerPixel
    return (0..<format.channelCount).map { channel in
      let at = start + channel * format.bytesPerChannel
      return format.bytesPerChannel == 1 ? Int(bytes[at]) : Int(bytes[at]) | Int(bytes[at + 1]) << 8
    }
  }

  /// A float channel of the pixel at a place, with the origin at the bottom left.
  func float(_ x: Int, _ y: Int, _ channel: Int) -> Float {
    let start = ((size.height - 1 - y) * size.width + x) * format.bytesPerPixel + 4 * channel
    return Float(bitPattern: bytes.word(at: start))
  }

  /// An `rgba8` picture from a function of column and row from the bottom.
  init(_ size: Size, _ pixel: (Int, Int) -> [UInt8]) {
    var bytes: [UInt8] = []
    for y in (0..<size.height).reversed() {
      for x in 0..<size.width { bytes += pixel(x, y) }
    }
    self.init(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
  }
}

/// The bytes of some floats, as uniform blocks have them.
func bytes(_ floats: Float...) -> [UInt8] {
  [UInt8](floats: floats)
}

/// Writes a text to standard error at once, for tests that end their process.
func printError(_ text: String) {
  unsafe write(STDERR_FILENO, text, text.utf8.count)
}
