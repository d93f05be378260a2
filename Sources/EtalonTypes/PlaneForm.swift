/// The planes that make a picture of a video, one after the other: luma alone; luma and the differences of blue and red; or red, green and blue; and
/// behind them coverage.
///
/// A number of up to 8 bits has a byte (`r8`), one of more two, in their low bits (`r16`).
///
/// **Concurrency**: an immutable value.
package struct PlaneForm: Sendable, Hashable {
  package enum Channels: String, Sendable, Hashable, CaseIterable {
    case luma
    case lumaAndChroma
    case redGreenBlue
  }

  package var channels: Channels
  /// Bits that a number uses: 8 to 16.
  package var bits: Int
  /// How many samples of luma a sample of chroma stands for along each axis, as powers of two: 1 and 1 for 4:2:0, 1 and 0 for 4:2:2.
  package var chromaShift: (x: Int, y: Int) {
    get { (shiftX, shiftY) }
    set { (shiftX, shiftY) = newValue }
  }
  package var hasAlpha: Bool
  package var color: Color
  private var shiftX: Int
  private var shiftY: Int

  package init(
    _ channels: Channels, bits: Int = 8, chromaShift: (x: Int, y: Int) = (0, 0), hasAlpha: Bool = false, color: Color = Color()
  ) {
    (self.channels, self.bits, self.hasAlpha, self.color) = (channels, bits, hasAlpha, color)
    (shiftX, shiftY) = chromaShift
  }

  /// What a plane holds.
  package enum Plane: String, Sendable, Hashable {
    case luma, blueDifference, redDifference
    case red, green, blue
    case alpha
  }

  package var planes: [Plane] {
    let colors: [Plane] =
      switch channels {
      case .luma: [.luma]
      case .lumaAndChroma: [.luma, .blueDifference, .redDifference]
      case .redGreenBlue: [.red, .green, .blue]
      }
    return hasAlpha ? colors + [.alpha] : colors
  }

  /// The pixels of planes.
  package var planeFormat: PixelFormat { bits > 8 ? .r16 : .r8 }

  /// The size of a plane of a picture.
  package func size(of plane: Plane, in picture: Size) -> Size {
    switch plane {
    case .blueDifference, .redDifference:
      Size((picture.width + (1 << shiftX) - 1) >> shiftX, (picture.height + (1 << shiftY) - 1) >> shiftY)
    case .luma, .red, .green, .blue, .alpha: picture
    }
  }

  /// The number for 1, in full range.
  package var largest: Int { 1 << bits - 1 }

  /// The numbers for black, for the way from black to white, and for the way from the lowest to the highest chroma.
  package var scale: (black: Int, luma: Int, chroma: Int) {
    color.range == .full ? (0, largest, largest) : (16 << (bits - 8), 219 << (bits - 8), 224 << (bits - 8))
  }

  /// The number for no chroma.
  package var neutral: Int { 1 << (bits - 1) }
}

// MARK: color

extension PlaneForm {
  /// How the numbers of a video become colors, in the terms of ITU-T H.273.
  ///
  /// **Concurrency**: an immutable value.
  package struct Color: Sendable, Hashable {
    /// Which numbers black and white have.
    package enum Range: String, Sendable, Hashable, CaseIterable {
      /// With 8 bits 16 and 235, chroma 16 to 240; with more bits these times 4, 16 and so on.
      case limited
      /// 0 and the largest number.
      case full
    }

    /// How luma and the two differences of color are made of red, green and blue.
    package enum Matrix: String, Sendable, Hashable, CaseIterable {
      /// The planes are red, green and blue.
      case identity
      case bt601, bt709, bt2020, fcc, smpte240

      /// What red and blue count in luma; green counts the rest.
      package var luma: (red: Double, blue: Double) {
        switch self {
        case .bt601: (0.299, 0.114)
        case .identity, .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .fcc: (0.30, 0.11)
        case .smpte240: (0.212, 0.087)
        }
      }
    }

    /// How light is encoded.
    package enum Transfer: String, Sendable, Hashable, CaseIterable {
      /// As televisions show it; the curves of BT.601, BT.709, BT.2020 and sRGB alike, because players make no difference.
      case display
      /// Proportional to light.
      case linear
      /// Perceptual quantization, SMPTE ST 2084.
      case pq
      /// Hybrid log-gamma, ARIB STD-B67.
      case hlg
    }

    /// Which colors red, green and blue are.
    package enum Primaries: String, Sendable, Hashable, CaseIterable {
      /// Those of BT.709; those of BT.601 too, because players make no difference.
      case bt709
      case bt2020
      /// Display P3, with the white of BT.709.
      case p3
    }

    /// Where a sample of chroma lies among the samples of luma that it belongs to.
    package enum ChromaLocation: String, Sendable, Hashable, CaseIterable {
      case left, center, topLeft, top, bottomLeft, bottom
    }

    package var range: Range
    package var matrix: Matrix
    package var transfer: Transfer
    package var primaries: Primaries
    package var chromaLocation: ChromaLocation
    /// The light of white, in candela per square meter, where colors leave with the curve of PQ or HLG: 203 by ITU-R BT.2408.
    package var white = 203.0

    /// Whether light beyond white has numbers.
    package var isHDR: Bool { transfer == .pq || transfer == .hlg }

    package init(
      range: Range = .limited, matrix: Matrix = .bt709, transfer: Transfer = .display, primaries: Primaries = .bt709,
      chromaLocation: ChromaLocation = .left
    ) {
      (self.range, self.matrix, self.transfer, self.primaries) = (range, matrix, transfer, primaries)
      self.chromaLocation = chromaLocation
    }
  }
}
