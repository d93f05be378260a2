internal import EtalonDiagnostics
internal import EtalonTypes
internal import Glibc

/// The text of a `.cube` file: a size, a domain, and a color for each entry, red changing fastest.
///
/// Known are the words of Adobe's specification of 2013, and `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`, which DaVinci Resolve writes.
struct CubeFile {
  private let source: SourceText
  private var diagnostics: [Diagnostic] = []
  private var size: (form: ColorTable.Form, side: Int, place: Range<Int>)?
  private var low: (numbers: [Float], place: Range<Int>)?
  private var high: (numbers: [Float], place: Range<Int>)?
  /// What a table has whose input range is stated by Resolve's words.
  private var range: (form: ColorTable.Form, place: Range<Int>)?
  private var words: Set<String> = []
  private var entries: [Float] = []
  /// Where the first entry is that is one too many.
  private var surplus: Range<Int>?
  private var bytes: [UInt8]

  /// The most errors that are told together.
  private static let mostErrors = 20

  init(_ source: SourceText) {
    self.source = source
    // The C library reads numbers up to a byte that belongs to none.
    bytes = source.bytes + [0]
  }

  /// The table; everything that is wrong with the text is told together.
  func table() throws(DiagnosticsError) -> ColorTable {
    var reading = self
    reading.read()
    guard reading.diagnostics.isEmpty else { throw DiagnosticsError(reading.diagnostics) }
    guard let size = reading.size else { preconditionFailure("a table without a size and without an error") }
    return ColorTable(
      form: size.form, side: size.side, low: reading.low?.numbers ?? [0, 0, 0], high: reading.high?.numbers ?? [1, 1, 1],
      entries: reading.entries)
  }

  private mutating func report(
    _ id: String, _ message: String, at place: Range<Int>, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    guard diagnostics.count < Self.mostErrors else { return }
    diagnostics.append(Diagnostic("table.\(id)", message, labels: [.init(source, place, label)], help: help, notes: notes))
  }

  // MARK: lines

  private mutating func read() {
    for line in 1...source.lineCount where diagnostics.count < Self.mostErrors {
      let parts = parts(of: source.byteRange(ofLine: line), isFirst: line == 1)
      guard let first = parts.first, bytes[first.lowerBound] != UInt8(ascii: "#") else { continue }
      let isNumber = "+-.0123456789".utf8.contains(bytes[first.lowerBound])
      if isNumber || Self.isNoNumber(text(first)) { readEntry(parts) } else { readWord(parts) }
    }
    checkSize()
    checkDomain()
  }

  /// What stands between the blanks of a line.
  private func parts(of line: Range<Int>, isFirst: Bool) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    // A byte order mark.
    var place = line.lowerBound + (isFirst && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    while place < line.upperBound {
      while place < line.upperBound, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
      let start = place
      while place < line.upperBound, bytes[place] != 0x20, bytes[place] != 0x09 { place += 1 }
      if place > start { parts.append(start..<place) }
    }
    return parts
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }

  private static func isNoNumber(_ text: String) -> Bool { ["nan", "inf", "infinity"].contains(text.lowercased()) }

  // MARK: words

  private mutating func readWord(_ parts: [Range<Int>]) {
    let word = text(parts[0])
    let known = [
      "TITLE", "LUT_1D_SIZE", "LUT_3D_SIZE", "DOMAIN_MIN", "DOMAIN_MAX", "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE",
    ]
    guard known.contains(word) else {
      return report(
        "unknown-word", "'\(word)' is no word of a color table", at: parts[0], "not known",
        help: [
          known.contains(word.uppercased())
            ? "write '\(word.uppercased())'"
            : NearestName.find(word.uppercased(), in: known).map { "did you mean '\($0)'?" } ?? "put '#' in front of a comment"
        ],
        notes: ["words: \(known.joined(separator: ", "))"])
    }
    guard words.insert(word).inserted else {
      return report("repeated", "'\(word)' stands there twice", at: parts[0], "again", help: ["remove one of the two lines"])
    }
    switch word {
    case "TITLE": return
    case "LUT_1D_SIZE", "LUT_3D_SIZE": readSize(word, parts)
    case "DOMAIN_MIN":
      if let numbers = numbers(of: word, parts, count: 3) { low = (numbers, parts[0]) }
    case "DOMAIN_MAX":
      if let numbers = numbers(of: word, parts, count: 3) { high = (numbers, parts[0]) }
    default: readRange(word, parts)
    }
    if !entries.isEmpty {
      report("late-word", "'\(word)' stands behind the first color", at: parts[0], "too late", help: ["move the line above all colors"])
    }
  }

  private mutating func readSize(_ word: String, _ parts: [Range<Int>]) {
    let form = word == "LUT_1D_SIZE" ? ColorTable.Form.curves : .cube
    let sides = ColorTable.sides(of: form)
    if let first = size {
      diagnostics.append(
        Diagnostic(
          "table.size-twice", "the table has two sizes",
          labels: [.init(source, parts[0], "the second"), .init(source, first.place, "the first")],
          help: ["split the file into a table with LUT_1D_SIZE and one with LUT_3D_SIZE, and apply one after the other"]))
      return
    }
    guard parts.count == 2, let side = Int(text(parts[1])) else {
      return report(
        "size", "'\(word)' is followed by one whole number", at: parts.count > 1 ? parts[1] : parts[0], "no whole number",
        help: ["write '\(word) \(form == .cube ? 33 : 1024)'"])
    }
    // Where the number is refused, the colors are not counted by it, but are known to have a size.
    size = (form, sides.contains(side) ? side : sides.lowerBound, parts[0].lowerBound..<parts[1].upperBound)
    guard sides.contains(side) else {
      return report(
        "size", "a table cannot have \(side) colors a side", at: parts[1], "not from \(sides.lowerBound) to \(sides.upperBound)",
        help: ["export the table with \(form == .cube ? "33 or 65" : "1024") entries"],
        notes: ["\(word) is a number from \(sides.lowerBound) to \(sides.upperBound)"])
    }
    entries.reserveCapacity(min(3 * ColorTable.count(form, side), bytes.count))
  }

  private mutating func readRange(_ word: String, _ parts: [Range<Int>]) {
    guard let numbers = numbers(of: word, parts, count: 2) else { return }
    range = (word == "LUT_1D_INPUT_RANGE" ? .curves : .cube, parts[0])
    low = (Array(repeating: numbers[0], count: 3), parts[0])
    high = (Array(repeating: numbers[1], count: 3), parts[0])
  }

  private mutating func numbers(of word: String, _ parts: [Range<Int>], count: Int) -> [Float]? {
    guard parts.count == count + 1 else {
      report(
        "domain", "'\(word)' is followed by \(count) numbers, not by \(parts.count - 1)",
        at: parts[0].lowerBound..<parts[parts.count - 1].upperBound,
        "\(parts.count - 1) of \(count)", help: ["write '\(word) \(count == 2 ? "0 1" : word == "DOMAIN_MIN" ? "0 0 0" : "1 1 1")'"])
      return nil
    }
    let numbers = parts.dropFirst().compactMap { number($0) }
    return numbers.count == count ? numbers : nil
  }

  // MARK: colors

  private mutating func readEntry(_ parts: [Range<Int>]) {
    guard let size else {
      if entries.isEmpty {
        report(
          "no-size", "the first color stands there before the size of the table",
          at: parts[0].lowerBound..<parts[parts.count - 1].upperBound,
          "a color", help: ["write 'LUT_3D_SIZE 33' above the colors, with the number of colors of a side"])
      }
      // Only to know that there was one.
      entries = [0, 0, 0]
      return
    }
    if let comment = parts.first(where: { bytes[$0.lowerBound] == UInt8(ascii: "#") }) {
      return report(
        "comment", "a comment stands behind a color", at: comment.lowerBound..<parts[parts.count - 1].upperBound, "on the line of a color",
        help: ["move it to a line of its own"])
    }
    guard parts.count == 3 else {
      return report(
        "color", "a color has three numbers, red, green and blue, and here \(parts.count == 1 ? "is" : "are") \(parts.count)",
        at: parts[0].lowerBound..<parts[parts.count - 1].upperBound, "\(parts.count) of 3",
        help: ["write three numbers with blanks between them"])
    }
    guard entries.count < 3 * ColorTable.count(size.form, size.side) else {
      surplus = surplus ?? parts[0].lowerBound..<parts[2].upperBound
      entries += [0, 0, 0]
      return
    }
    for part in parts { entries.append(number(part) ?? 0) }
  }

  /// A number; nil for what is none, which is reported.
  private mutating func number(_ range: Range<Int>) -> Float? {
    let isPlain = bytes[range].allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    var value = Float.nan
    if isPlain {
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        var end: UnsafeMutablePointer<CChar>?
        unsafe UnsafeRawPointer(base + range.lowerBound).withMemoryRebound(to: CChar.self, capacity: range.count + 1) { start in
          let read = unsafe strtof(start, &end)
          if unsafe end == UnsafeMutablePointer(mutating: start) + range.count { value = read }
        }
      }
    }
    guard value.isFinite else {
      let text = text(range)
      let isTooLarge = isPlain && Double(text) != nil
      let why = Self.isNoNumber(text) ? "not finite" : isTooLarge ? "too large" : "no number"
      report(
        "number", isTooLarge ? "'\(text)' is too large for a color" : "'\(text)' is no number", at: range, why,
        help: [text.contains(",") ? "write '\(text.replacing(",", with: "."))', with a point" : "write a number such as 0.5"])
      return nil
    }
    return value
  }

  // MARK: the whole

  private mutating func checkSize() {
    guard let size else {
      guard entries.isEmpty, diagnostics.isEmpty else { return }
      return report(
        "no-size", "the table says no size", at: 0..<0, "expected 'LUT_3D_SIZE' or 'LUT_1D_SIZE'",
        help: ["write 'LUT_3D_SIZE 33' above the colors, with the number of colors of a side"])
    }
    guard diagnostics.isEmpty else { return }
    if let range, range.form != size.form {
      return report(
        "range", "'\(text(range.place))' is the range of another kind of table", at: range.place,
        "of one with \(range.form == .cube ? "LUT_3D_SIZE" : "LUT_1D_SIZE")",
        help: ["write '\(size.form == .cube ? "LUT_3D_INPUT_RANGE" : "LUT_1D_INPUT_RANGE")', or remove the line"])
    }
    let (wanted, found) = (ColorTable.count(size.form, size.side), entries.count / 3)
    guard wanted != found else { return }
    let product = size.form == .cube ? "\(size.side)×\(size.side)×\(size.side) = \(wanted)" : "\(wanted)"
    let message = "the table has \(found) colors, and its size says \(product)"
    guard let surplus else {
      let missing = wanted - found == 1 ? "a color is missing" : "\(wanted - found) colors are missing"
      return report(
        "too-few", message, at: source.bytes.count..<source.bytes.count, missing,
        help: ["export the table again: the file was cut off, or its size is wrong"])
    }
    let fitting = (2...256).first { $0 * $0 * $0 == found }.map { "write 'LUT_3D_SIZE \($0)', or " } ?? ""
    report("too-many", message, at: surplus, "the first one too many", help: ["\(fitting)remove the colors from here on"])
  }

  private mutating func checkDomain() {
    guard diagnostics.isEmpty, let place = (high ?? low)?.place else { return }
    let (low, high) = (low?.numbers ?? [0, 0, 0], high?.numbers ?? [1, 1, 1])
    guard let channel = low.indices.first(where: { low[$0] >= high[$0] || !(high[$0] - low[$0]).isFinite }) else { return }
    let isEmpty = low[channel] >= high[channel]
    let range = "it goes from \(low[channel]) to \(high[channel])"
    report(
      "domain", "the domain of \(["red", "green", "blue"][channel]) is \(isEmpty ? "empty" : "too wide"): \(range)", at: place,
      isEmpty ? "not above its start" : "further from its start than numbers reach",
      help: ["write 'DOMAIN_MIN 0 0 0' and 'DOMAIN_MAX 1 1 1'"])
  }
}
