package import EtalonTypes

/// What a text may be that is the value of a parameter: how long, and of which characters.
///
/// Line feeds begin a new line in every text; other control characters are in none.
package struct CharacterRules: Sendable, Hashable {
  /// How many code points a header may ask for, and how many there are where it does not ask.
  package static let lengths = 1...1024
  package static let usualLength = 256

  /// The most code points.
  package let longest: Int
  /// The code points that may occur beside line feeds; empty for all.
  package let allowed: [ClosedRange<UInt32>]
  /// The input for a font that draws other characters, too, which are known when the filter has its inputs; nil for none.
  package let font: String?

  package init(longest: Int = usualLength, allowed: [ClosedRange<UInt32>] = [], font: String? = nil) {
    (self.longest, self.allowed, self.font) = (longest, allowed, font)
  }

  /// What texts of both kinds have in common; nil where no character is in both.
  func intersection(_ other: CharacterRules) -> CharacterRules? {
    let longest = min(longest, other.longest)
    // One that has a font may draw everything, and what it draws is looked at again where it is applied.
    if font != nil, other.font == nil, !other.allowed.isEmpty { return CharacterRules(longest: longest, allowed: other.allowed) }
    if font == nil, other.font != nil, !allowed.isEmpty { return CharacterRules(longest: longest, allowed: allowed) }
    let font = font ?? other.font
    if allowed.isEmpty || other.allowed.isEmpty { return CharacterRules(longest: longest, allowed: allowed + other.allowed, font: font) }
    let shared = allowed.flatMap { range in other.allowed.filter(range.overlaps).map { range.clamped(to: $0) } }
    return shared.isEmpty ? nil : CharacterRules(longest: longest, allowed: shared, font: font)
  }

  /// Reads a text; a character that it cannot have is refused at its place.
  package func read(_ text: String) throws(ListShape.ReadingError) -> Value {
    var place = 0
    for scalar in text.unicodeScalars {
      let next = place + UTF8.width(scalar)
      if let (complaint, label, help) = refusal(of: scalar) {
        throw ListShape.ReadingError(range: place..<next, label: label, help: help, complaint: complaint)
      }
      place = next
    }
    return Value(text: text)
  }

  private func refusal(of scalar: Unicode.Scalar) -> (complaint: String, label: String, help: String)? {
    if scalar == "\n" { return nil }
    if scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}" || scalar == "\u{85}" {
      return (
        "has \(Self.name(of: scalar)), which is not how lines end here", "ends a line elsewhere",
        "end lines with a line feed (U+000A) alone"
      )
    }
    if scalar == "\t" { return ("has a tab, for which no text has a width", "a tab", "write spaces") }
    if scalar.properties.generalCategory == .control {
      return ("has the control character \(Self.name(of: scalar))", "a control character", "remove it")
    }
    return font == nil ? refusalWithoutFont(of: scalar) : nil
  }

  /// Why a character cannot be drawn while no font is given; nil where it can.
  package func refusalWithoutFont(of scalar: Unicode.Scalar) -> (complaint: String, label: String, help: String)? {
    guard scalar != "\n", !allowed.isEmpty, !allowed.contains(where: { $0.contains(scalar.value) }) else { return nil }
    let ranges = "characters: \(allowed.map(Self.name).joined(separator: ", "))"
    return (
      "has the character \(Self.name(of: scalar)), which is not drawn\(font == nil ? "" : " without a font")", "not among its characters",
      font.map { "give a font that has it: '\($0)=\(FilterInput.DataKind.font.example)'; \(ranges) need none" } ?? ranges
    )
  }

  /// What is wrong with a value as a whole.
  package func violation(of value: Value) -> (complaint: String, label: String, help: String)? {
    guard value.components.count > longest else { return nil }
    return ("has \(value.components.count) characters", "more than \(longest)", "give at most \(longest) characters")
  }

  /// `U+0416 'Ж'`, or the number alone of what has no shape.
  package static func name(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let isShown = ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned].contains(
      scalar.properties.generalCategory)
    return isShown ? "\(code) '\(Character(scalar))'" : code
  }

  private static func name(of range: ClosedRange<UInt32>) -> String {
    let ends = [range.lowerBound, range.upperBound].compactMap(Unicode.Scalar.init).map { name(of: $0).prefix { $0 != " " } }
    return range.count == 1 ? String(ends[0]) : ends.joined(separator: " to ")
  }

  /// `U+0020` or `U+0020-U+007E`; nil for any other text.
  package static func range(_ text: String) -> ClosedRange<UInt32>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end -> UInt32? in
      guard end.hasPrefix("U+"), (4...6).contains(end.utf8.count - 2), let number = UInt32(end.dropFirst(2), radix: 16),
        Unicode.Scalar(number) != nil, end.dropFirst(2).allSatisfy(\.isHexDigit)
      else { return nil }
      return number
    }
    guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1], low <= high else { return nil }
    return low...high
  }

  /// The range as a header has it.
  package static func text(_ range: ClosedRange<UInt32>) -> String {
    let ends = [range.lowerBound, range.upperBound].map { number in
      let digits = String(number, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return range.count == 1 ? ends[0] : ends.joined(separator: "-")
  }

  // MARK: as people type it

  /// The text of a value: itself, or a single key where it would be read as keyframes.
  package static func typed(_ text: String) -> String { text.hasPrefix("{") ? "{0s: \(text.quotedAsJSON)}" : text }
}
