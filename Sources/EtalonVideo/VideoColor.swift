/// What the numbers in the pixels of a video mean, in the terms of ITU-T H.273.
///
/// ```
/// VideoColor.bt709.transfer   // the curve that most videos have
/// ```
///
/// **Concurrency**: an immutable value.
package struct VideoColor: Sendable, Hashable {
  /// Which numbers are black and white.
  package enum Range: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    /// 16 to 235 for luma and to 240 for chroma, times a power of two above 8 bits.
    case limited = 1
    /// All numbers.
    case full = 2
  }

  /// How red, green and blue become luma and chroma.
  package enum Matrix: Int, Sendable, Hashable, CaseIterable {
    /// They do not: planes are red, green and blue.
    case rgb = 0
    case bt709 = 1
    case unspecified = 2
    case fcc = 4
    /// The same numbers as `smpte170M`, for pictures of 625 lines.
    case bt470BG = 5
    /// ITU-R BT.601.
    case smpte170M = 6
    case smpte240M = 7
    case yCgCo = 8
    case bt2020 = 9
    case bt2020ConstantLuminance = 10
    case smpte2085 = 11
    case chromaticityDerived = 12
    case chromaticityDerivedConstantLuminance = 13
    case iCtCp = 14
  }

  /// Which lights red, green and blue are.
  package enum Primaries: Int, Sendable, Hashable, CaseIterable {
    /// Those of sRGB, too.
    case bt709 = 1
    case unspecified = 2
    case bt470M = 4
    case bt470BG = 5
    /// ITU-R BT.601 for pictures of 525 lines.
    case smpte170M = 6
    case smpte240M = 7
    case film = 8
    case bt2020 = 9
    case smpte428 = 10
    case dciP3 = 11
    case displayP3 = 12
    case ebu3213 = 22
  }

  /// How numbers follow light.
  package enum Transfer: Int, Sendable, Hashable, CaseIterable {
    case bt709 = 1
    case unspecified = 2
    case gamma22 = 4
    case gamma28 = 5
    case smpte170M = 6
    case smpte240M = 7
    case linear = 8
    case log100 = 9
    case log316 = 10
    /// IEC 61966-2-4.
    case xvYCC = 11
    case bt1361 = 12
    case sRGB = 13
    case bt2020Ten = 14
    case bt2020Twelve = 15
    /// The PQ curve of ITU-R BT.2100.
    case smpte2084 = 16
    case smpte428 = 17
    /// Hybrid log-gamma.
    case aribB67 = 18
  }

  /// Where the samples of chroma lie between those of luma, where there are fewer of them.
  package enum ChromaLocation: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    case left, center, topLeft, top, bottomLeft, bottom
  }

  package var range: Range
  package var matrix: Matrix
  package var primaries: Primaries
  package var transfer: Transfer
  package var chromaLocation: ChromaLocation

  package init(range: Range, matrix: Matrix, primaries: Primaries, transfer: Transfer, chromaLocation: ChromaLocation) {
    self.range = range
    self.matrix = matrix
    self.primaries = primaries
    self.transfer = transfer
    self.chromaLocation = chromaLocation
  }

  /// Limited range, matrix, primaries and curve of ITU-R BT.709, chroma on the left: what players take where nothing is said.
  package static let bt709 = VideoColor(range: .limited, matrix: .bt709, primaries: .bt709, transfer: .bt709, chromaLocation: .left)

  /// Red, green and blue with all numbers, and the curve of sRGB.
  package static let sRGB = VideoColor(range: .full, matrix: .rgb, primaries: .bt709, transfer: .sRGB, chromaLocation: .unspecified)
}
