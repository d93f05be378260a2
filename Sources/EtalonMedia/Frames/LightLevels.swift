package import EtalonTypes
internal import Foundation

/// How bright the frames of a video are, in candela per square meter, as CTA-861.3 counts it.
///
/// **Concurrency**: an immutable value.
package struct LightLevels: Sendable, Hashable, Codable {
  /// The largest of red, green and blue of any pixel (MaxCLL).
  package var brightest: Double
  /// The mean over the brightest frame of the largest of red, green and blue of each pixel (MaxFALL).
  package var brightestMean: Double

  /// Those of both.
  package func joined(_ other: LightLevels) -> LightLevels {
    LightLevels(brightest: max(brightest, other.brightest), brightestMean: max(brightestMean, other.brightestMean))
  }

  /// The peak of the display that the frames are made for: the usual displays of 1000, 4000 and 10000 cd/m².
  package var peak: Double { brightest <= 1000 ? 1000 : brightest <= 4000 ? 4000 : 10000 }
}

/// Measures the light of frames that are encoded with the PQ curve of ITU-R BT.2100.
///
/// It looks at the numbers that the encoder gets; a pixel of subsampled chroma counts with the nearest sample of chroma on its left and above it.
package struct LightMeter {
  private let layout: PlaneLayout
  private let size: Size
  /// The light of a number from 0 to 1, in steps.
  private let light: [Float]
  package private(set) var levels = LightLevels(brightest: 0, brightestMean: 0)

  private static let steps = 8192

  /// Measures frames of one layout and size.
  package init(_ layout: PlaneLayout, _ size: Size) {
    (self.layout, self.size) = (layout, size)
    light = (0...Self.steps).map { Float(Self.nits(Double($0) / Double(Self.steps))) }
  }

  /// The reference EOTF of PQ, table 4 of ITU-R BT.2100-2.
  static func nits(_ number: Double) -> Double {
    let power = pow(number, 32.0 / 2523)
    return 10000 * pow(max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power), 16384.0 / 2610)
  }

  package mutating func add(_ planes: [FramePlane]) {
    var sum = 0.0
    var largest: Float = 0
    for y in 0..<size.height {
      var row: Float = 0
      for x in 0..<size.width {
        let number = unsafe layout.isRGB ? largestChannel(planes, x, y) : largestColor(planes, x, y)
        let found = light[Int(min(max(number, 0), 1) * Float(Self.steps) + 0.5)]
        row += found
        largest = max(largest, found)
      }
      sum += Double(row)
    }
    levels = levels.joined(LightLevels(brightest: Double(largest), brightestMean: sum / Double(size.pixelCount)))
  }

  private func sample(_ planes: [FramePlane], _ plane: Int, _ x: Int, _ y: Int) -> Float {
    let place = unsafe y * planes[plane].bytesPerRow + 2 * x
    return Float(UInt16(littleEndian: unsafe planes[plane].rows.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
  }

  private func largestChannel(_ planes: [FramePlane], _ x: Int, _ y: Int) -> Float {
    unsafe max(sample(planes, 0, x, y), sample(planes, 1, x, y), sample(planes, 2, x, y)) / Float((1 << layout.bits) - 1)
  }

  /// The largest of red, green and blue, by table 6 of ITU-R BT.2100-2.
  private func largestColor(_ planes: [FramePlane], _ x: Int, _ y: Int) -> Float {
    let step = layout.chromaStep
    let unit = Float(1 << (layout.bits - 8))
    let luma = unsafe (sample(planes, 0, x, y) - 16 * unit) / (219 * unit)
    let blue = unsafe (sample(planes, 1, x / step.x, y / step.y) - 128 * unit) / (224 * unit)
    let red = unsafe (sample(planes, 2, x / step.x, y / step.y) - 128 * unit) / (224 * unit)
    return luma + max(1.4746 * red, 1.8814 * blue, -0.16455312684 * blue - 0.57135312684 * red)
  }
}
