/// Damages files that are no texts: bits, fields, ends and sections; sums that guard them are mended, so that the damage reaches those who decode.
struct BinaryDamage {
  enum Format {
    case png, jpeg, exr, riff, mp4, plain
  }

  private enum Change {
    case bit, byte, word16, word32, truncation, section, insertion
  }

  let format: Format

  func applied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<dice.pick(weighted: [(55, 1), (30, 2), (15, 4)]) where bytes.count > 8 { change(&bytes, &dice) }
    if format == .png, dice.happens(95) { PNGSums.mend(&bytes) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let place = place(in: bytes, &dice)
    switch dice.pick(weighted: [
      (34, Change.bit), (12, .byte), (14, .word16), (22, .word32), (4, .truncation), (11, .section), (3, .insertion),
    ]) {
    case .bit: bytes[place] ^= 1 << UInt8(dice.pick(8))
    case .byte: bytes[place] = UInt8(dice.pick(256))
    case .word16: write(UInt64(dice.pick(from: HostileNumbers.words16)), 2, at: place, &bytes, &dice)
    case .word32: write(UInt64(dice.pick(from: HostileNumbers.words32)), 4, at: place, &bytes, &dice)
    case .truncation: bytes.removeLast(dice.pick(1...bytes.count / 2))
    case .section: changeSections(&bytes, &dice)
    case .insertion: bytes.insert(contentsOf: (0..<dice.pick(1...64)).map { _ in UInt8(dice.pick(256)) }, at: place)
    }
  }

  /// Where something is changed: mostly in headers, because what is wrong in packed data is found out as such.
  private func place(in bytes: [UInt8], _ dice: inout Dice) -> Int {
    let start = format == .png || format == .jpeg ? 8 : 4
    guard bytes.count > start + 4 else { return dice.pick(bytes.count) }
    if format == .png, dice.happens(75) {
      let headers = PNGSums.chunks(of: bytes).filter {
        !bytes[$0.lowerBound + 4..<min($0.lowerBound + 8, bytes.count)].elementsEqual("IDAT".utf8)
      }
      if !headers.isEmpty {
        let chunk = dice.pick(from: headers)
        return min(chunk.lowerBound + dice.pick(chunk.count), bytes.count - 1)
      }
    }
    if format == .mp4, dice.happens(75), let index = sections(of: bytes).first(where: { Self.type(of: $0, in: bytes) == "moov" }) {
      return index.lowerBound + 8 + dice.pick(max(1, index.count - 8))
    }
    return dice.happens(format == .exr ? 25 : 50) ? min(start + dice.pick(320), bytes.count - 1) : start + dice.pick(bytes.count - start)
  }

  private func write(_ number: UInt64, _ count: Int, at place: Int, _ bytes: inout [UInt8], _ dice: inout Dice) {
    let start = dice.happens(70) ? place / count * count : place
    guard start + count <= bytes.count else { return }
    let digits = (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    bytes.replaceSubrange(start..<start + count, with: dice.happens(50) ? digits : digits.reversed())
  }

  private func changeSections(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let all = sections(of: bytes)
    guard let first = all.first, let last = all.last else { return }
    var sections = all.map { Array(bytes[$0]) }
    let (one, other) = (dice.pick(sections.count), dice.pick(sections.count))
    switch dice.pick(3) {
    case 0: sections.remove(at: one)
    case 1: sections.insert(sections[one], at: other)
    default: sections.swapAt(one, other)
    }
    bytes.replaceSubrange(first.lowerBound..<last.upperBound, with: sections.joined())
  }

  /// The parts of which a file consists.
  private func sections(of bytes: [UInt8]) -> [Range<Int>] {
    switch format {
    case .png: return PNGSums.chunks(of: bytes)
    case .riff:
      return Self.walk(from: 12, in: bytes) { place in
        let length = Self.number(bytes, at: place + 4, isBig: false)
        return length.map { 8 + ($0 + 1) / 2 * 2 }
      }
    case .mp4:
      return Self.walk(from: 0, in: bytes) { place in Self.number(bytes, at: place, isBig: true).flatMap { $0 < 8 ? nil : $0 } }
    case .jpeg:
      return Self.walk(from: 2, in: bytes) { place in
        bytes[place] == 0xFF && bytes[place + 1] != 0xDA ? 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3]) : nil
      }
    case .exr:
      return Self.walk(from: 8, in: bytes) { place in
        // The name and the type of an attribute end with a zero, behind which its size stands.
        guard bytes[place] != 0, let name = bytes[place...].prefix(256).firstIndex(of: 0),
          let type = bytes[(name + 1)...].prefix(256).firstIndex(of: 0), let size = Self.number(bytes, at: type + 1, isBig: false)
        else { return nil }
        return type + 5 + size - place
      }
    case .plain:
      return stride(from: 0, to: bytes.count, by: 64).map { $0..<min($0 + 64, bytes.count) }
    }
  }

  /// Sections one behind the other, as long as they lie in the file; `length` is told at least four bytes.
  static func walk(from start: Int, in bytes: [UInt8], _ length: (Int) -> Int?) -> [Range<Int>] {
    var sections: [Range<Int>] = [], place = start
    while place + 4 <= bytes.count, let count = length(place), count > 0, count <= bytes.count - place {
      sections.append(place..<place + count)
      place += count
    }
    return sections
  }

  /// The four letters behind the length of a box.
  private static func type(of box: Range<Int>, in bytes: [UInt8]) -> String {
    String(decoding: bytes[box].dropFirst(4).prefix(4), as: UTF8.self)
  }

  static func number(_ bytes: [UInt8], at place: Int, isBig: Bool) -> Int? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<place + 4]
    return isBig ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The sums of PNG files.
enum PNGSums {
  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }

  static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  /// The chunks of a file, with their lengths and sums.
  static func chunks(of bytes: [UInt8]) -> [Range<Int>] {
    BinaryDamage.walk(from: 8, in: bytes) { BinaryDamage.number(bytes, at: $0, isBig: true).map { $0 + 12 } }
  }

  /// Gives every chunk the sum of what it holds now.
  static func mend(_ bytes: inout [UInt8]) {
    for chunk in chunks(of: bytes) {
      let sum = crc(bytes[chunk.lowerBound + 4..<chunk.upperBound - 4])
      bytes.replaceSubrange(
        chunk.upperBound - 4..<chunk.upperBound, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) })
    }
  }
}

/// Numbers at which readers and arithmetic go wrong: around zero, around the ends of number formats, and far beyond.
enum HostileNumbers {
  /// Whole numbers as a shader has them.
  static let integers = [
    "0", "-1", "1", "2", "7", "31", "32", "33", "255", "256", "65535", "65536", "1000000000", "2147483647", "2147483648",
    "(-2147483647 - 1)",
    "0x7fffffff", "4294967295u", "4294967297", "9223372036854775808", "(1 / 0)", "(1 % 0)",
  ]
  /// Numbers with a fraction as a shader has them.
  static let fractions = [
    "0.0", "-1.0", "0.5", "1.0", "-0.0", "1e9", "2147483648.0", "4294967297.0", "9223372036854775808.0", "1e38", "3.4028235e38", "1e400",
    "1e-50", "1e-38", "16777217.0", "(0.0 / 0.0)", "(1.0 / 0.0)", "(-1.0 / 0.0)", "nan",
  ]
  /// Numbers as documents and tables have them.
  static let plain = [
    "0", "-1", "1", "0.5", "-0", "1e9", "2147483647", "2147483648", "4294967295", "4294967297", "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808", "18446744073709551616", "1e400", "-1e400", "nan", "inf", "1e-50", "1e308", "1/0", "0/1", "3/2", "24000/1001",
    "9223372036854775807/2", "1/9223372036854775807", "0x10", "1_000", "٣",
  ]
  /// Numbers that JSON knows.
  static let json = [
    "0", "-1", "1", "0.5", "-0", "1e9", "2147483647", "2147483648", "4294967297", "9223372036854775807", "9223372036854775808", "1e400",
    "-1e400", "1e-50", "1e308", "-1e30", "0.1e1", "16777217",
  ]
  /// Fields of 16 bits.
  fileprivate static let words16: [UInt16] = [0, 1, 2, 3, 8, 16, 24, 32, 64, 255, 256, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF]
  /// Fields of 32 bits.
  static let words32: [UInt32] = [
    0, 1, 2, 7, 16, 255, 256, 65535, 65536, 0x00FF_FFFF, 0x0100_0000, 0x3FFF_FFFF, 0x4000_0000, 0x7FFF_FFF0, 0x7FFF_FFFF, 0x8000_0000,
    0x8000_0001, 0xFFFF_FFF0, 0xFFFF_FFFC, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x7FC0_0000, 0x7F80_0000,
  ]
}
