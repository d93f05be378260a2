internal import Foundation

/// How sRGB numbers belong to light (IEC 61966-2-1).
enum TransferFunction {
  /// The light of an encoded number.
  static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
