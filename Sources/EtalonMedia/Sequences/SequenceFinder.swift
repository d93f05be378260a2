package import EtalonDiagnostics

/// Finds out which sequences a path means.
enum SequenceFinder {
  static func patterns(for path: String) throws(RenderError) -> [FramePattern] {
    switch FileKind(path: path) {
    case .folder: try patterns(inFolder: path)
    case .regular, .device: [try pattern(ofFrame: path)]
    case .missing: [try pattern(typed: path)]
    }
  }

  private static func patterns(inFolder path: String) throws(RenderError) -> [FramePattern] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    var found: [FramePattern] = []
    for name in try FolderListing.names(in: folder) where isPicture(name) {
      guard !found.contains(where: { $0.frame(ofName: name) != nil }) else { continue }
      if let pattern = try FramePattern(frameAt: folder + name) { found.append(pattern) }
    }
    guard !found.isEmpty else {
      throw RenderError(.missingInput, "no frames in '\(path)'", help: ["frames are pictures with a number in their name"])
    }
    return found
  }

  fileprivate static func isPicture(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return !name.hasPrefix(".") && PictureReader.endings.contains { lowercased.hasSuffix($0) }
  }

  private static func pattern(ofFrame path: String) throws(RenderError) -> FramePattern {
    guard let pattern = try FramePattern(frameAt: path) else {
      throw RenderError(.invalidInput, "'\(path)' has no frame number in its name", help: ["name a pattern such as 'name.####.png'"])
    }
    return pattern
  }

  private static func pattern(typed text: String) throws(RenderError) -> FramePattern {
    guard let pattern = try? FramePattern(text), pattern.hasNumber else {
      throw RenderError(
        .missingInput, "cannot read '\(text)'", operation: "stat", underlying: systemErrorText(2),
        help: ["a pattern has a place for the frame number: 'name.####.png'"])
    }
    return pattern
  }
}

/// The files of a sequence by their numbers: which are there, and which stand in for those that are not.
///
/// **Concurrency**: an immutable value; the folder is listed once.
package struct NumberedFiles: Sendable, Hashable {
  package let pattern: FramePattern
  /// The numbers that are there, sorted.
  package let numbers: [Int]

  /// Lists the files whose names fit a pattern; fails when there are none.
  package init(_ pattern: FramePattern) throws(RenderError) {
    self.pattern = pattern
    numbers = try pattern.framesOnDisk().map(\.frame)
    guard !numbers.isEmpty else {
      throw RenderError(.missingInput, "there is no picture of the sequence '\(pattern)'", help: try Self.help(pattern))
    }
  }

  /// Often only the number of digits is wrong.
  private static func help(_ pattern: FramePattern) throws(RenderError) -> [String] {
    if let word = pattern.suffix.firstMatch(of: /[ ]+([a-z]+)=/) {
      let rest = pattern.suffix.replacing(/[ ]+([a-z]+=)/) { ",\($0.output.1)" }
      let written = FramePattern(folder: pattern.folder, prefix: pattern.prefix, padding: pattern.padding, suffix: rest)
      return ["write a comma before '\(word.output.1)': '\(written)'"]
    }
    for padding in 1...10 where padding != pattern.padding {
      let other = FramePattern(folder: pattern.folder, prefix: pattern.prefix, padding: padding, suffix: pattern.suffix)
      guard let file = try other.framesOnDisk().first else { continue }
      return ["'\(file.path)' is there: type '\(other)'"]
    }
    return ["each '#' stands for a digit: 'plate.####.png' means 'plate.0001.png' and so on"]
  }

  /// Whether a number is there.
  package func contains(_ number: Int) -> Bool {
    let index = place(of: number)
    return index < numbers.count && numbers[index] == number
  }

  /// The number next to one that is not there, within a range: a lower one if there is one, or a higher one if that is preferred.
  package func neighbor(of number: Int, within range: ClosedRange<Int>, prefersHigher: Bool) -> Int? {
    let index = place(of: number)
    let lower = index > 0 && numbers[index - 1] >= range.lowerBound ? numbers[index - 1] : nil
    let higher = index < numbers.count && numbers[index] <= range.upperBound ? numbers[index] : nil
    return prefersHigher ? higher ?? lower : lower ?? higher
  }

  /// The index of the first number that is not below this one.
  private func place(of number: Int) -> Int {
    var low = 0, high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The pictures of two files, folders or sequences that belong together.
///
/// ```
/// for pair in try PicturePairs("out/a.####.png", "references/a.####.png").pairs { … }
/// ```
///
/// **Concurrency**: an immutable value.
package struct PicturePairs: Sendable, Hashable {
  /// A picture and its reference.
  package struct Pair: Sendable, Hashable {
    /// The number of the frame, or the name of the file.
    package let name: String
    /// The number of the frame, in sequences.
    package let frame: Int?
    package let actual: String
    package let reference: String
  }

  /// What is paired.
  package enum Kind: Sendable, Hashable {
    case files, folders, sequences
  }

  package let kind: Kind
  /// The pairs in the order of their numbers or names.
  package let pairs: [Pair]
  /// What only the second one has.
  package let missing: [String]
  /// What only the first one has.
  package let unexpected: [String]

  /// Finds the pairs; both must be of one kind, and something must be there.
  package init(_ actual: String, _ reference: String) throws(RenderError) {
    let kinds = (Self.kind(actual), Self.kind(reference))
    guard kinds.0 == kinds.1 else {
      throw RenderError(
        .invalidInput, "'\(actual)' is \(Self.words(kinds.0)), and '\(reference)' is \(Self.words(kinds.1))",
        help: ["compare two files, two folders, or two sequences such as 'a.####.png'"])
    }
    kind = kinds.0
    switch kind {
    case .files:
      pairs = [Pair(name: actual, frame: nil, actual: actual, reference: reference)]
      (missing, unexpected) = ([], [])
    case .folders: (pairs, missing, unexpected) = Self.match(try Self.files(in: actual), try Self.files(in: reference))
    case .sequences: (pairs, missing, unexpected) = Self.match(try Self.frames(actual), try Self.frames(reference))
    }
  }

  private struct Entry {
    let key: String
    let frame: Int?
    let path: String
  }

  private static func match(_ actual: [Entry], _ reference: [Entry]) -> (pairs: [Pair], missing: [String], unexpected: [String]) {
    let found = Dictionary(actual.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let wanted = Set(reference.map(\.key))
    let pairs = reference.compactMap { entry in
      found[entry.key].map { Pair(name: entry.key, frame: entry.frame, actual: $0.path, reference: entry.path) }
    }
    return (pairs, reference.map(\.key).filter { found[$0] == nil }, actual.map(\.key).filter { !wanted.contains($0) })
  }

  private static func kind(_ path: String) -> Kind {
    switch FileKind(path: path) {
    case .folder: .folders
    case .regular, .device: .files
    case .missing: (try? FramePattern(path))?.hasNumber == true ? .sequences : .files
    }
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .files: "a file"
    case .folders: "a folder"
    case .sequences: "a sequence"
    }
  }

  private static func files(in path: String) throws(RenderError) -> [Entry] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    let names = try FolderListing.names(in: folder).filter(SequenceFinder.isPicture)
    guard !names.isEmpty else {
      throw RenderError(
        .missingInput, "no pictures in '\(path)'",
        help: ["pictures are PNG, JPEG, TIFF, WebP, DPX or OpenEXR files; folders inside are not looked into"])
    }
    return names.map { Entry(key: $0, frame: nil, path: folder + $0) }
  }

  private static func frames(_ text: String) throws(RenderError) -> [Entry] {
    guard let pattern = try? FramePattern(text) else { preconditionFailure("'\(text)' was read as a pattern before") }
    let frames = try pattern.framesOnDisk()
    guard !frames.isEmpty else { throw RenderError(.missingInput, "no frames of '\(text)'", help: ["name a pattern whose frames exist"]) }
    return frames.map { Entry(key: "\($0.frame)", frame: $0.frame, path: $0.path) }
  }
}
