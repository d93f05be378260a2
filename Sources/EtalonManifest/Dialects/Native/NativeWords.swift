internal import EtalonDiagnostics

extension JSONMembers {
  /// The value of a key that is one of several words; nil when it is missing or another word, which is reported.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Word.Type) -> Word? {
    guard let written = string(key) else { return nil }
    if let word = Word(rawValue: written.value) { return word }
    reportWord(written, key, Word.allCases.map(\.rawValue))
    return nil
  }

  /// Reports a word that a key cannot have.
  mutating func reportWord(_ written: Placed<String>, _ key: String, _ words: [String]) {
    report(
      "native.word", "'\(key)' cannot be '\(written.value)'", at: written.place, "unknown",
      help: NearestName.find(written.value, in: words).map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["possible: \(words.joined(separator: ", "))"])
  }

  /// A whole number in a range; nil when it is missing or another number, which is reported.
  mutating func whole(_ key: String, in range: ClosedRange<Int>) -> Placed<Int>? {
    guard let number = number(key) else { return nil }
    if number.value == number.value.rounded(), number.value >= Double(range.lowerBound), number.value <= Double(range.upperBound) {
      return Placed(Int(number.value), at: number.place)
    }
    report(
      "native.number", "'\(key)' is no whole number from \(range.lowerBound) to \(range.upperBound)", at: number.place, "out of range")
    return nil
  }
}
