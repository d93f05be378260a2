package import EtalonDiagnostics
internal import EtalonManifest

/// What can be done to a picture without a filter of a library.
package enum ImageOperation: String, Sendable, Hashable, CaseIterable {
  /// The last pixels continue beyond the edges.
  case clamp
  /// A rectangle of the picture.
  case crop
  /// The picture with transparent pixels around it.
  case pad
  /// The picture with more or fewer pixels.
  case resize
  /// The picture turned or mirrored, by its EXIF number.
  case orient
  /// The picture over another one.
  case over

  /// What it does, in a sentence.
  package var summary: String {
    switch self {
    case .clamp: "Lets the last pixels continue beyond the edges, for filters that read there."
    case .crop: "A rectangle of the picture, in pixels from its lower left corner."
    case .pad: "The picture with transparent pixels around it."
    case .resize: "The picture with more or fewer pixels; where one side is 0, it follows from the other."
    case .orient: "The picture turned or mirrored by whole pixels, by its EXIF number or name."
    case .over: "The picture over another one, by its alpha."
    }
  }

  /// What may follow the word without a name, for help.
  package var form: String {
    switch self {
    case .clamp: "clamp"
    case .crop: "crop 100,50,320x240"
    case .pad: "pad 16' or 'pad 16,8,16,8"
    case .resize: "resize 320x240' or 'resize 1/2"
    case .orient: "orient 6' or 'orient rotate90"
    case .over: "over @name"
    }
  }

  /// What words without names mean.
  package func settings(_ words: [GraphText.Word], of operation: GraphText.Word) throws(DiagnosticsError) -> [GraphText.Setting] {
    guard let word = words.first else { return [] }
    guard words.count == 1, let settings = settings(word) else {
      let place = (words.count > 1 ? words[1] : word).place
      throw DiagnosticsError(
        Diagnostic(
          "stage.operation", "'\(rawValue)' does not take '\(words.map(\.text).joined(separator: " "))'",
          labels: [place.label("not understood")], help: ["write '\(form)'"]))
    }
    return settings
  }

  private func settings(_ word: GraphText.Word) -> [GraphText.Setting]? {
    switch self {
    case .clamp: nil
    case .crop: numbers(word, separators: [",", ",", "x"]).map { named(["left", "bottom", "width", "height"], $0) }
    case .pad: padding(word)
    case .resize: resizing(word)
    case .orient: named(["orientation"], [word])
    case .over: word.text.hasPrefix("@") ? named(["backgroundImage"], [word]) : nil
    }
  }

  private func padding(_ word: GraphText.Word) -> [GraphText.Setting]? {
    let sides = ["left", "bottom", "right", "top"]
    if let all = numbers(word, separators: [",", ",", ","]) { return named(sides, all) }
    return numbers(word, separators: []).map { same in named(sides, sides.map { _ in same[0] }) }
  }

  private func resizing(_ word: GraphText.Word) -> [GraphText.Setting]? {
    if let sides = numbers(word, separators: ["x"]) {
      let size = sides.map { LocatedNode(.scalar($0.text), at: $0.place) }
      return [setting("size", LocatedNode(.sequence(size), at: word.place))]
    }
    guard numbers(word, separators: ["/"]) != nil || (word.text.contains(".") && Double(word.text) != nil) else { return nil }
    return [setting("scale", LocatedNode(.scalar("(\(word.text))"), at: word.place))]
  }

  private func named(_ names: [String], _ words: [GraphText.Word]) -> [GraphText.Setting] {
    zip(names, words).map { setting($0, LocatedNode(.scalar($1.text), at: $1.place)) }
  }

  private func setting(_ name: String, _ value: LocatedNode) -> GraphText.Setting {
    .init(name: .init(name, at: value.place), value: value)
  }

  /// The whole numbers of `100,50,320x240`, each at its place; nil when the text has another form.
  private func numbers(_ word: GraphText.Word, separators: [Character]) -> [GraphText.Word]? {
    var found: [GraphText.Word] = []
    var rest = word.text[...]
    for separator in separators.map(Optional.some) + [nil] {
      let part = separator.map { end in rest.prefix { $0 != end } } ?? rest
      guard Int(part) != nil else { return nil }
      let start = word.place.range.lowerBound + word.text.utf8.distance(from: word.text.startIndex, to: part.startIndex)
      let place =
        word.place.range.count == word.text.utf8.count
        ? SourceRange(word.place.source, start..<start + part.utf8.count) : word.place
      found.append(.init(String(part), at: place))
      rest = rest[part.endIndex...].dropFirst(separator == nil ? 0 : 1)
    }
    return found
  }
}
