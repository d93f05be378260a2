/// The numbers of JSON, and those that other languages write.
enum JSONNumber {
  enum Form {
    case strict, forgivable, none
  }

  /// Whether a text is a number.
  static func form(of text: Substring) -> Form {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    guard let (whole, fraction, exponent) = parts(digits), !(whole.isEmpty && (fraction ?? "").isEmpty) else { return .none }
    if exponent.map({ !isExponent($0) }) ?? false { return .none }
    let isStrict = !text.hasPrefix("+") && !whole.isEmpty && fraction != "" && (whole == "0" || !whole.hasPrefix("0"))
    return isStrict ? .strict : .forgivable
  }

  /// The value of a text that is a number in either form.
  static func value(_ text: String) -> Double? {
    guard form(of: text[...]) != .none else { return nil }
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard let (whole, fraction, exponent) = parts(digits) else { return nil }
    let normal = "\(whole.isEmpty ? "0" : whole).\((fraction ?? "").isEmpty ? "0" : fraction ?? "0")e\(exponent ?? "0")"
    return Double(normal).map { isNegative ? -$0 : $0 }
  }

  /// The digits before the point, after it and after the `e`; nil when there is anything else.
  private static func parts(_ text: Substring) -> (whole: Substring, fraction: Substring?, exponent: Substring?)? {
    let whole = text.prefix(while: isDigit)
    var rest = text.dropFirst(whole.count)
    var fraction: Substring?
    if rest.hasPrefix(".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + (fraction?.count ?? 0))
    }
    if rest.isEmpty { return (whole, fraction, nil) }
    return rest.hasPrefix("e") || rest.hasPrefix("E") ? (whole, fraction, rest.dropFirst()) : nil
  }

  private static func isExponent(_ text: Substring) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
