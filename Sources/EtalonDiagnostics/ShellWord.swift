/// Words of a command line for a shell.
package enum ShellWord {
  /// The word, in quotes where a shell would see more than a word.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-_./,=+:@%".utf8.contains(byte)
      }
    guard !word.unicodeScalars.contains(where: Self.isControl) else { return ansi(word) }
    return isPlain ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  /// A word that is no text, such as the name of a file in another encoding.
  package static func quoted(bytes: [UInt8]) -> String {
    let parts = bytes.map { byte in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: String(UnicodeScalar(byte))
      default: "\\x" + hexadecimal(byte).uppercased()
      }
    }
    return "$'\(parts.joined())'"
  }

  /// The word in the quotes that know escapes, so that the command stays on one line.
  private static func ansi(_ word: String) -> String {
    let parts = word.unicodeScalars.map { scalar in
      if isControl(scalar) { return Array(String(scalar).utf8).map { "\\x\(hexadecimal($0))" }.joined() }
      return scalar == "'" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(parts.joined())'"
  }

  private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
  }
}
