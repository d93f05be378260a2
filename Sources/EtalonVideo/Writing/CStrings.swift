internal import CFFmpeg
internal import EtalonTypes

/// Texts as C strings that live until the object is gone.
@safe
final class CStrings {
  private var strings: [UnsafeMutablePointer<CChar>] = unsafe []

  func add(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe copy[index] = byte }
    unsafe strings.append(copy)
    return unsafe UnsafePointer(copy)
  }

  /// Names and values for C.
  func options(_ options: [EncoderOptions.Option]) -> [EtalonOption] {
    unsafe options.map { unsafe EtalonOption(name: add($0.name), value: add($0.value)) }
  }

  deinit { unsafe strings.forEach { unsafe $0.deallocate() } }
}

extension EtalonVideoFraction {
  init(_ rational: Rational) {
    self.init(numerator: Int64(rational.numerator), denominator: Int64(rational.denominator))
  }

  /// No fraction.
  static var none: EtalonVideoFraction { EtalonVideoFraction(numerator: 0, denominator: 0) }
}
