/// Counts the colors of frames: exactly as long as there are few, and in cells of 4×4×4 values.
package struct GIFHistogram {
  /// Colors of a palette; one more entry is transparent.
  static let mostColors = 255
  /// Cells along one channel.
  private static let side = 64

  /// The cell of a color.
  static func cell(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2)
  }

  /// For each cell the sums of red, green and blue, and the number of pixels.
  private var sums = [SIMD4<Int>](repeating: .zero, count: side * side * side)
  /// All colors that occurred, as 0xRRGGBB; nil when there are more than a palette has.
  private(set) var colors: Set<UInt32>? = []
  private var lastColor: UInt32?

  package init() {}

  /// Adds pixels of red, green, blue and, where there are four channels, alpha; transparent ones have no color.
  package mutating func add(_ pixels: [UInt8], channels: Int) {
    unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        for start in stride(from: 0, to: pixels.count, by: channels) {
          if channels == 4, unsafe GIFHistogram.isTransparent(pixels[start + 3]) { continue }
          let (red, green, blue) = unsafe (pixels[start], pixels[start + 1], pixels[start + 2])
          unsafe sums[Self.cell(red, green, blue)] &+= SIMD4(Int(red), Int(green), Int(blue), 1)
        }
      }
    }
    addColors(pixels, channels: channels)
  }

  private mutating func addColors(_ pixels: [UInt8], channels: Int) {
    guard var colors else { return }
    self.colors = nil
    for start in stride(from: 0, to: pixels.count, by: channels) {
      if channels == 4, GIFHistogram.isTransparent(pixels[start + 3]) { continue }
      let color = UInt32(pixels[start]) << 16 | UInt32(pixels[start + 1]) << 8 | UInt32(pixels[start + 2])
      guard color != lastColor else { continue }
      lastColor = color
      if colors.insert(color).inserted, colors.count > Self.mostColors { return }
    }
    self.colors = colors
  }

  /// A GIF has no alpha in between.
  static func isTransparent(_ alpha: UInt8) -> Bool { alpha < 128 }

  /// All cells.
  var cells: Range<Int> { sums.indices }

  /// The mean color of a cell; nil where it is empty.
  func mean(_ cell: Int) -> SIMD3<Float>? {
    let sum = SIMD4<Float>(sums[cell])
    return sum.w > 0 ? SIMD3(sum.x, sum.y, sum.z) / sum.w : nil
  }

  /// A color with the number of pixels that have about that color.
  struct Sample {
    var color: SIMD3<Float>
    var weight: Float
  }

  /// The colors in cells of 8×8×8 values.
  var samples: [Sample] {
    let half = Self.side / 2
    var merged = [SIMD4<Int>](repeating: .zero, count: half * half * half)
    for cell in cells where sums[cell].w > 0 {
      let (red, green, blue) = (cell >> 13, cell >> 7 & 31, cell >> 1 & 31)
      merged[red << 10 | green << 5 | blue] &+= sums[cell]
    }
    return merged.lazy.filter { $0.w > 0 }.map { sum in
      let sum = SIMD4<Float>(sum)
      return Sample(color: SIMD3(sum.x, sum.y, sum.z) / sum.w, weight: sum.w)
    }
  }
}
