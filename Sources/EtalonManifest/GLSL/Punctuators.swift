/// The operators and brackets of GLSL and of its preprocessor.
enum Punctuators {
  /// The longest first, so that the first match is the right one.
  private static let byLength: [Set<[UInt8]>] = [
    ["<<=", ">>="],
    ["++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "^^", "<<", ">>", "##"],
    ["+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "#"],
  ].map { Set($0.map { Array($0.utf8) }) }

  /// The length of the operator or bracket at an offset; nil when there is none.
  static func length(at offset: Int, in bytes: [UInt8]) -> Int? {
    for (index, marks) in byLength.enumerated() {
      let length = 3 - index
      guard offset + length <= bytes.count else { continue }
      if marks.contains(Array(bytes[offset..<offset + length])) { return length }
    }
    return nil
  }

  /// The operators that join operands into one expression; each makes the compiler's tree one step deeper.
  static let joiningOperators: Set<String> = [
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "?", ":", ".", "[", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "^^", "<<", ">>", "<<=", ">>=",
  ]
}
