/// The names under which libraries offer filters: words of small letters and digits with hyphens between them.
package enum FilterName {
  /// The name that a file or folder gives to a filter: `Bad TV` is `bad-tv`, `WaveScrawler` is `wave-scrawler`; nil when no letter or digit is left.
  package static func kebabCase(_ text: String) -> String? {
    let characters = Array(text)
    var name = ""
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !name.hasSuffix("-") { name += "-" }
        continue
      }
      if startsWord(index, characters), !name.hasSuffix("-") { name += "-" }
      name += character.lowercased()
    }
    name = name.trimming("-")
    return name.isEmpty ? nil : name
  }

  /// Whether a text is such a name.
  package static func isName(_ text: String) -> Bool { kebabCase(text) == text }

  /// Whether a capital begins a word: after a small letter or digit, or before a small letter as the `T` of `HTMLText`.
  private static func startsWord(_ index: Int, _ characters: [Character]) -> Bool {
    guard index > 0, characters[index].isUppercase else { return false }
    let before = characters[index - 1]
    if before.isLowercase || before.isNumber { return true }
    return before.isUppercase && index + 1 < characters.count && characters[index + 1].isLowercase
  }
}

extension String {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}
