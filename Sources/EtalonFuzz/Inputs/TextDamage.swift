/// Damages texts so that about half of them still mean something.
///
/// Rough damage is what readers have to refuse: hostile numbers, words in other places, parts that are missing or stand twice. Gentle damage keeps the form
/// of a text, so that what it says is run: other numbers of about the same size, and other operators.
struct TextDamage {
  /// What may stand in the place of a number.
  enum Language {
    /// Comments hold headers, whose numbers are those of documents.
    case shader
    case document
    /// Rows begin with times, in their order.
    case table
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
      case .document, .table:
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

  /// Gentle damage in most cases, because what is refused shows no more than that.
  func applied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    dice.happens(60) ? gentlyApplied(to: bytes, &dice) : roughlyApplied(to: bytes, &dice)
  }

  func gentlyApplied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<dice.pick(weighted: [(50, 1), (30, 2), (20, 4)]) {
      if language == .shader, dice.happens(35) { replaceSign(&bytes, &dice) } else { shiftNumber(&bytes, &dice) }
    }
    return bytes
  }

  private func roughlyApplied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
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

  /// Words behind which another number is another version, or another place for a resource.
  private static let fixed: Set<String> = [
    "etalon", "version", "ver", "isfvsn", "binding", "set", "local_size_x", "local_size_y", "local_size_z", "sha256", "date", "id",
  ]

  /// Gives a number, or a part of one such as `64x48`, about the same size.
  private func shiftNumber(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let numbers = Self.digits(in: bytes, isTable: language == .table)
    guard !numbers.isEmpty else { return insertBytes(&bytes, &dice) }
    let place = dice.pick(from: numbers), text = String(decoding: bytes[place], as: UTF8.self)
    let near: [String]
    if text.contains(".") {
      let number = Double(text) ?? 1
      near = ["\(number * 2)", "\(number / 3)", "0.0", "0.001", "\(number + 1)", language == .shader ? "1e9" : "\(number * 100)"]
    } else {
      let number = Int(text) ?? 1
      near = ["\(number &+ 1)", "\(max(0, number &- 1))", "\(number / 2)", "\(min(number, 99) * 2)"]
    }
    bytes.replaceSubrange(place, with: dice.pick(from: near).utf8)
  }

  /// The runs of digits, with a fraction, that belong to no name, color, hash or version.
  private static func digits(in bytes: [UInt8], isTable: Bool) -> [Range<Int>] {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F || byte == 0x23 }
    var found: [Range<Int>] = [], place = 0, word = "", isFirst = true
    while place < bytes.count {
      let start = place
      if isLetter(bytes[place]) {
        while place < bytes.count, isLetter(bytes[place]) || isDigit(bytes[place]) { place += 1 }
        word = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
      } else if isDigit(bytes[place]) {
        while place < bytes.count, isDigit(bytes[place]) || bytes[place] == 0x2E && place + 1 < bytes.count && isDigit(bytes[place + 1]) {
          place += 1
        }
        if !fixed.contains(word), !(isTable && isFirst), place - start < 18 { found.append(start..<place) }
        isFirst = false
        // Between a number and a letter of a size stands nothing: `64x48`.
        if place < bytes.count, bytes[place] == 0x78 { place += 1 }
      } else {
        if bytes[place] == 0x0A { (word, isFirst) = ("", true) }
        place += 1
      }
    }
    return found
  }

  private func replaceNumber(_ bytes: inout [UInt8], _ dice: inout Dice) {
    guard let piece = piece(.number, in: bytes, &dice) else { return insertBytes(&bytes, &dice) }
    let text = String(decoding: bytes[piece.range], as: UTF8.self)
    let isPlain = language != .shader || piece.isInComment
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
    let isPlain = language != .shader || piece.isInComment
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
