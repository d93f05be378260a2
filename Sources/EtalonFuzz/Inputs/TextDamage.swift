/// Damages texts so that about half of them still mean something: numbers become hostile ones, words change places, parts go missing or stand twice.
struct TextDamage {
  /// What may stand in the place of a number.
  enum Language {
    /// Comments hold headers, whose numbers are those of documents.
    case shader
    case document
  }

  /// Something that is done to a text.
  private enum Change: CaseIterable {
    case number, word, sign, line, block, bracket, bytes, longName, nesting, loop

    /// How often it is done, in relation to others: numbers most, because they are rarely refused.
    static func weights(_ language: Language) -> [(Int, Change)] {
      switch language {
      case .shader:
        [
          (46, .number), (7, .word), (16, .sign), (9, .line), (4, .block), (1, .bracket), (3, .bytes), (4, .longName), (6, .nesting),
          (4, .loop),
        ]
      case .document:
        [(70, .number), (6, .word), (5, .line), (3, .block), (1, .bracket), (4, .bytes), (3, .longName), (4, .nesting), (4, .loop)]
      }
    }
  }

  /// A part of a text that stands for itself.
  struct Piece {
    enum Kind { case word, number, sign }
    let kind: Kind
    let range: Range<Int>
    /// Whether it stands in a comment between `/*` and `*/`.
    let isInComment: Bool
  }

  let language: Language
  /// Words that the reader of the text knows.
  let vocabulary: [String]

  func applied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<dice.pick(weighted: [(55, 1), (25, 2), (12, 3), (8, 5)]) {
      apply(dice.pick(weighted: Change.weights(language)), to: &bytes, &dice)
    }
    return bytes
  }

  private func apply(_ change: Change, to bytes: inout [UInt8], _ dice: inout Dice) {
    switch change {
    case .number: replaceNumber(&bytes, &dice)
    case .word: replaceWord(&bytes, &dice)
    case .sign: replaceSign(&bytes, &dice)
    case .line: changeLines(&bytes, &dice)
    case .block: changeBlock(&bytes, &dice)
    case .bracket: changeBracket(&bytes, &dice)
    case .bytes: insertBytes(&bytes, &dice)
    case .longName: lengthenName(&bytes, &dice)
    case .nesting: nest(&bytes, &dice)
    case .loop: repeatItem(&bytes, &dice)
    }
  }

  // MARK: The changes

  private func replaceNumber(_ bytes: inout [UInt8], _ dice: inout Dice) {
    guard let piece = piece(.number, in: bytes, &dice) else { return insertBytes(&bytes, &dice) }
    let text = String(decoding: bytes[piece.range], as: UTF8.self)
    let isPlain = language == .document || piece.isInComment
    let isFraction = text.contains(".") || (text.contains("e") && !text.hasPrefix("0x"))
    if isPlain, dice.happens(65) {
      // Readers refuse most of what is hostile, so that its neighbors have to do.
      let number = Double(text) ?? 1, whole = Int(text) ?? 1
      let near =
        isFraction
        ? ["\(number * 2)", "\(number / 3)", "\(-number)", "0.0", "1e-3"]
        : ["\(whole &+ 1)", "\(max(0, whole &- 1))", "\(whole / 2)", "\(whole)"]
      return bytes.replaceSubrange(piece.range, with: dice.pick(from: near).utf8)
    }
    let choices =
      piece.isInComment
      ? HostileNumbers.json : isPlain ? HostileNumbers.plain : isFraction ? HostileNumbers.fractions : HostileNumbers.integers
    bytes.replaceSubrange(piece.range, with: dice.pick(from: choices).utf8)
  }

  private func replaceWord(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let words = Self.pieces(of: bytes).filter { $0.kind == .word }
    guard !words.isEmpty else { return }
    let target = dice.pick(from: words)
    let isFromFile = vocabulary.isEmpty || dice.happens(60)
    let new = isFromFile ? Array(bytes[dice.pick(from: words).range]) : Array(dice.pick(from: vocabulary).utf8)
    bytes.replaceSubrange(target.range, with: new)
  }

  private static let signs: [[String]] = [
    ["+", "-", "*", "/"], ["<", ">", "<=", ">=", "==", "!="], ["&&", "||", "^^"], ["&", "|", "^", "%"],
  ]

  private func replaceSign(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let signs = Self.pieces(of: bytes).filter { piece in
      piece.kind == .sign && !piece.isInComment && Self.signs.contains { $0.contains(String(decoding: bytes[piece.range], as: UTF8.self)) }
    }
    guard !signs.isEmpty else { return replaceNumber(&bytes, &dice) }
    let target = dice.pick(from: signs)
    let old = String(decoding: bytes[target.range], as: UTF8.self)
    let new = dice.pick(from: Self.signs.first { $0.contains(old) } ?? [old])
    bytes.replaceSubrange(target.range, with: " \(new) ".utf8)
  }

  private func changeLines(_ bytes: inout [UInt8], _ dice: inout Dice) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    guard lines.count > 1 else { return }
    let (one, other) = (dice.pick(lines.count), dice.pick(lines.count))
    switch dice.pick(3) {
    case 0: lines.remove(at: one)
    case 1: lines.insert(lines[one], at: one)
    default: lines.swapAt(one, other)
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }

  private func changeBlock(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let opening = bytes.indices.filter { [0x7B, 0x5B, 0x28].contains(bytes[$0]) }
    guard !opening.isEmpty else { return changeLines(&bytes, &dice) }
    let start = dice.pick(from: opening)
    let (open, close) = (bytes[start], bytes[start] == 0x28 ? 0x29 : bytes[start] + 2)
    var depth = 0, end = start
    for place in start..<bytes.count {
      depth += bytes[place] == open ? 1 : bytes[place] == close ? -1 : 0
      end = place
      if depth == 0 { break }
    }
    switch dice.pick(3) {
    case 0: bytes.removeSubrange(start...end)
    case 1: bytes.insert(contentsOf: Array(bytes[start...end]), at: end + 1)
    default: if end > start + 1 { bytes.removeSubrange(start + 1..<end) }
    }
  }

  private func changeBracket(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let brackets = bytes.indices.filter { Array("{}[]()\"'".utf8).contains(bytes[$0]) }
    guard !brackets.isEmpty else { return }
    let place = dice.pick(from: brackets)
    if dice.happens(50) { bytes.remove(at: place) } else { bytes.insert(bytes[place], at: place) }
  }

  private static let strange: [[UInt8]] = [
    [0xC3, 0x28], [0xFF], [0xFE, 0xFF], [0], Array("\u{202E}".utf8), Array("ü".utf8), Array("\u{2028}".utf8), Array("\u{85}".utf8), [0x0D],
    [0x09], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], Array("\u{FEFF}".utf8), Array("\\\n".utf8), [0x1B, 0x5B, 0x32, 0x4A],
    Array("e\u{301}\u{301}".utf8), Array("👩‍👩‍👧".utf8),
  ]

  private func insertBytes(_ bytes: inout [UInt8], _ dice: inout Dice) {
    bytes.insert(contentsOf: dice.pick(from: Self.strange), at: dice.pick(bytes.count + 1))
  }

  private func lengthenName(_ bytes: inout [UInt8], _ dice: inout Dice) {
    guard let piece = piece(.word, in: bytes, &dice) else { return }
    let old = Array(bytes[piece.range])
    let new = old + [UInt8](repeating: UInt8(ascii: "x"), count: dice.pick(from: [100, 255, 256, 1023, 1024, 1025, 5000, 70_000]))
    for word in Self.pieces(of: bytes).reversed() where word.kind == .word && bytes[word.range].elementsEqual(old) {
      bytes.replaceSubrange(word.range, with: new)
      if bytes.count > 1 << 20 { return }
    }
  }

  private func nest(_ bytes: inout [UInt8], _ dice: inout Dice) {
    guard let piece = piece(dice.happens(80) ? .number : .word, in: bytes, &dice) else { return }
    let depth = dice.pick(weighted: [(50, 10), (20, 100), (15, 255), (10, 1000), (5, 20_000)])
    let isPlain = language == .document || piece.isInComment
    let (open, close): (UInt8, UInt8) = isPlain && dice.happens(70) ? (0x5B, 0x5D) : (0x28, 0x29)
    bytes.insert(contentsOf: [UInt8](repeating: close, count: depth), at: piece.range.upperBound)
    bytes.insert(contentsOf: [UInt8](repeating: open, count: depth), at: piece.range.lowerBound)
  }

  /// One line becomes many.
  private func repeatItem(_ bytes: inout [UInt8], _ dice: inout Dice) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let place = dice.pick(lines.count), line = lines[place]
    let count = dice.pick(from: [3, 20, 300, 3000])
    guard line.count * count < 1 << 19 else { return }
    lines.insert(contentsOf: Array(repeating: line, count: count), at: place)
    bytes = Array(lines.joined(separator: [0x0A]))
  }

  // MARK: The parts of a text

  private func piece(_ kind: Piece.Kind, in bytes: [UInt8], _ dice: inout Dice) -> Piece? {
    let all = Self.pieces(of: bytes).filter { $0.kind == kind }
    return all.isEmpty ? nil : dice.pick(from: all)
  }

  static func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = [], place = 0, isInComment = false
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F }
    while place < bytes.count {
      let byte = bytes[place], next = place + 1 < bytes.count ? bytes[place + 1] : 0, start = place
      if byte == 0x2F && next == 0x2A || byte == 0x2A && next == 0x2F {
        isInComment = byte == 0x2F
        place += 2
      } else if isLetter(byte) || byte == 0x23 {
        place += 1
        while place < bytes.count, isLetter(bytes[place]) || isDigit(bytes[place]) { place += 1 }
        if byte != 0x23 { pieces.append(Piece(kind: .word, range: start..<place, isInComment: isInComment)) }
      } else if isDigit(byte) || byte == 0x2E && isDigit(next) {
        while place < bytes.count, isLetter(bytes[place]) || isDigit(bytes[place]) || bytes[place] == 0x2E {
          place += 1
          if place < bytes.count, bytes[place - 1] & 0xDF == 0x45, bytes[place] == 0x2D || bytes[place] == 0x2B { place += 1 }
        }
        pieces.append(Piece(kind: .number, range: start..<place, isInComment: isInComment))
      } else if byte <= 0x20 || byte >= 0x7F {
        place += 1
      } else {
        place += "<>=!&|".utf8.contains(byte) && "=&|".utf8.contains(next) ? 2 : 1
        pieces.append(Piece(kind: .sign, range: start..<place, isInComment: isInComment))
      }
    }
    return pieces
  }
}
