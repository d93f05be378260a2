internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Looks for characters that are not drawn: without a font those that a filter has no strokes for, else those that the font lacks.
///
/// Which input draws a text is said by `FONT` in the header; only when a filter is applied is it known whether it has a font.
struct TextFonts {
  private(set) var errors: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []
  private let settings: [RenderRequest.Setting]

  /// - Parameter settings: what was written for parameters, for the places of texts.
  init(_ uses: [FilterUse], _ settings: [RenderRequest.Setting] = []) {
    self.settings = settings
    // A filter that is applied at several moments has the same texts at each of them.
    for use in uses where use.moments.isEmpty {
      for parameter in use.filter.manifest.parameters {
        guard case .text(let rules)? = parameter.list, let input = rules.font else { continue }
        let font = use.inputs[input].flatMap(Self.font)
        for text in Self.texts(of: parameter.name, use) { look(at: text, rules, font, parameter, use) }
      }
    }
  }

  /// The warnings; what is wrong is thrown.
  func checked() throws(DiagnosticsError) -> [Diagnostic] {
    guard errors.isEmpty else { throw DiagnosticsError(errors) }
    return warnings
  }

  private static func font(_ input: FilterUse.Input) -> FontOutlines? {
    if case .picture(let picture) = input.image.operation { FontOutlines(picture) } else { nil }
  }

  /// Every text that a parameter has over time, with its place where that is known.
  private static func texts(of name: String, _ use: FilterUse) -> [(text: String, place: SourceRange?)] {
    if case .keyframes(let keyframes)? = use.animated[name] {
      return keyframes.allKeys.compactMap { key in key.value.text.map { ($0, key.origin.place) } }
    }
    return use.values[name]?.text.map { [($0, nil)] } ?? []
  }

  private mutating func look(
    at text: (text: String, place: SourceRange?), _ rules: CharacterRules, _ font: FontOutlines?, _ parameter: FilterParameter,
    _ use: FilterUse
  ) {
    var known: Set<UInt32> = []
    for scalar in text.text.unicodeScalars where scalar != "\n" && known.insert(scalar.value).inserted {
      let places = [text.place, use.origin.place(ofValue: parameter.name)].compactMap(\.self) + places(of: parameter.name)
      if let (complaint, label, help) = refusal(of: scalar, rules, font) {
        report(
          Diagnostic(
            "value.text", "the text for '\(parameter.name)' \(complaint)", labels: Self.label(scalar, in: places, label),
            help: help.map { [$0] } ?? []))
        // The first of those that strokes cannot draw says enough: a font would have the others, too.
        if font == nil { return }
      } else if let font, isBlank(scalar, in: font) {
        warn(
          Diagnostic(
            "font.blank",
            "the font '\(font.name)' has no outline for the character \(CharacterRules.name(of: scalar)), so that nothing is drawn",
            severity: .warning, labels: Self.label(scalar, in: places, "not drawn"),
            help: ["give another font; those of colored pictures have no outlines, and damaged ones may have lost them"]))
      } else if font != nil, let script = ShapedScript(of: scalar) {
        warn(
          Diagnostic(
            "font.script", "the text for '\(parameter.name)' has \(script.words)",
            severity: .warning, labels: Self.label(scalar, in: places, script.name), help: [script.help]))
      }
    }
  }

  /// Whether a character that is seen has a glyph of nothing.
  private func isBlank(_ scalar: Unicode.Scalar, in font: FontOutlines) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .privateUse, .unassigned: return false
    default: break
    }
    // Some letters show nothing by themselves, as the fillers of Hangul and the blank of Braille.
    guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != 0x2800, let glyph = font.glyph(of: scalar.value) else {
      return false
    }
    return font.segments(of: glyph) == (0, 0)
  }

  private func refusal(
    of scalar: Unicode.Scalar, _ rules: CharacterRules, _ font: FontOutlines?
  ) -> (complaint: String, label: String, help: String?)? {
    guard let font else { return rules.refusalWithoutFont(of: scalar).map { ($0.complaint, $0.label, $0.help) } }
    guard font.glyph(of: scalar.value) == nil else { return nil }
    let name = font.name.isEmpty ? "the font" : "the font '\(font.name)'"
    return (
      "has the character \(CharacterRules.name(of: scalar)), which \(name) lacks", "not in the font", "give a font that has it"
    )
  }

  /// Where the values of a parameter are written, which a graph calls `node.parameter`.
  private func places(of name: String) -> [SourceRange] {
    settings.filter { $0.name == name || $0.name.hasSuffix("." + name) }.reversed().map { setting in
      setting.written?.value.place ?? SettingText.places(name: setting.name, value: setting.value).value
    }
  }

  /// The character where it stands, else the first place.
  private static func label(_ scalar: Unicode.Scalar, in places: [SourceRange], _ words: String) -> [Diagnostic.Label] {
    let bytes = Array(String(Character(scalar)).utf8)
    for place in places {
      let text = place.source.bytes[place.range]
      let start = text.indices.first { text[$0...].starts(with: bytes) }
      if let start { return [SourceRange(place.source, start..<start + bytes.count).label(words)] }
    }
    return places.first.map { [$0.label(words)] } ?? []
  }

  private mutating func report(_ diagnostic: Diagnostic) {
    if !errors.contains(diagnostic) { errors.append(diagnostic) }
  }

  /// Each script is told once.
  private mutating func warn(_ diagnostic: Diagnostic) {
    if !warnings.contains(where: { $0.message == diagnostic.message }) { warnings.append(diagnostic) }
  }
}

/// A script whose letters take other shapes or places beside each other, or run from right to left, and characters that ask for this: nothing here does it.
private struct ShapedScript {
  private enum Kind { case letters, lettersToTheLeft, marks, format }

  let name: String
  private let kind: Kind

  /// Nil for characters that can stand one beside the other.
  init?(of scalar: Unicode.Scalar) {
    if let range = Self.ranges.first(where: { $0.codes.contains(scalar.value) }) {
      (name, kind) = (range.name, range.runsLeft ? .lettersToTheLeft : .letters)
      return
    }
    if scalar.properties.isVariationSelector || scalar.properties.generalCategory == .format {
      (name, kind) = ("format characters", .format)
      return
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: (name, kind) = ("combining marks", .marks)
    default: return nil
    }
  }

  /// What a text has that has such characters.
  var words: String {
    switch kind {
    case .letters, .lettersToTheLeft: "\(name) letters, which are drawn one by one, from left to right"
    case .marks: "combining marks, which are drawn like letters"
    case .format: "format characters, which are drawn like letters and change nothing"
    }
  }

  var help: String {
    switch kind {
    case .letters: "look at the picture: letters may need other shapes or places"
    case .lettersToTheLeft: "draw the text with another program, and give it as a picture"
    case .marks: "write letters that have their marks, such as U+00E9 'é' (Unicode's form NFC)"
    case .format: "leave them out: soft hyphens, joiners, marks of direction and selectors of variants"
    }
  }

  private static let ranges: [(codes: ClosedRange<UInt32>, name: String, runsLeft: Bool)] = [
    (0x0590...0x05FF, "Hebrew", true), (0xFB1D...0xFB4F, "Hebrew", true), (0x0600...0x06FF, "Arabic", true),
    (0x0750...0x077F, "Arabic", true), (0x0870...0x08FF, "Arabic", true), (0xFB50...0xFDFF, "Arabic", true),
    (0xFE70...0xFEFC, "Arabic", true), (0x0700...0x074F, "Syriac", true), (0x0860...0x086F, "Syriac", true),
    (0x0780...0x07BF, "Thaana", true), (0x07C0...0x07FF, "N'Ko", true), (0x0800...0x083F, "Samaritan", true),
    (0x0840...0x085F, "Mandaic", true), (0x10800...0x10FFF, "right-to-left", true), (0x1E800...0x1EFFF, "right-to-left", true),
    (0x0900...0x097F, "Devanagari", false), (0xA8E0...0xA8FF, "Devanagari", false), (0x0980...0x09FF, "Bengali", false),
    (0x0A00...0x0A7F, "Gurmukhi", false), (0x0A80...0x0AFF, "Gujarati", false), (0x0B00...0x0B7F, "Oriya", false),
    (0x0B80...0x0BFF, "Tamil", false), (0x0C00...0x0C7F, "Telugu", false), (0x0C80...0x0CFF, "Kannada", false),
    (0x0D00...0x0D7F, "Malayalam", false), (0x0D80...0x0DFF, "Sinhala", false), (0x0E00...0x0E7F, "Thai", false),
    (0x0E80...0x0EFF, "Lao", false), (0x0F00...0x0FFF, "Tibetan", false), (0x1000...0x109F, "Myanmar", false),
    (0x1100...0x11FF, "Hangul (single)", false), (0xA960...0xA97F, "Hangul (single)", false), (0xD7B0...0xD7FF, "Hangul (single)", false),
    (0x1700...0x177F, "Philippine", false), (0x1780...0x17FF, "Khmer", false), (0x1800...0x18AF, "Mongolian", false),
    (0x1900...0x194F, "Limbu", false), (0x1A00...0x1AAF, "Tai Tham", false), (0x1B00...0x1B7F, "Balinese", false),
    (0x1B80...0x1BBF, "Sundanese", false), (0x1C00...0x1C4F, "Lepcha", false), (0xA800...0xA82F, "Syloti Nagri", false),
    (0xA880...0xA8DF, "Saurashtra", false), (0xA980...0xA9DF, "Javanese", false), (0xA9E0...0xA9FF, "Myanmar", false),
    (0xAA00...0xAA5F, "Cham", false), (0xAA60...0xAA7F, "Myanmar", false), (0xABC0...0xABFF, "Meetei Mayek", false),
    (0x11000...0x11FFF, "Indic", false),
  ]
}
