internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo

/// What is missing of a sound or a video, or wrong in it, where what is left can be used.
///
/// **Concurrency**: an immutable value.
struct FileDamage: Sendable, Hashable {
  private let path: String
  /// At the end of the file, by what it says itself.
  private let missingBytes: Int
  private var packets = 0
  /// By what the file says itself.
  private var missingSamples = 0

  /// What to do about it where it is told and stops nothing.
  static let help = ["export or download it again; '--strict' makes this fail"]

  /// Looks whether a file is as long as it says; nothing is decoded for that.
  init(_ path: String) {
    self.path = path
    missingBytes = FileLength.missingBytes(of: path)
  }

  /// Decodes the first seconds of a sound to find what is wrong with it.
  init(inSoundOf path: String, seconds: Double, options: VideoReader.Options) throws(RenderError) {
    self.init(path)
    let found = try SoundReader(path, options: options).examine(seconds: seconds)
    add(packets: found.damagedPackets, sampleCount: found.sampleCount)
  }

  /// Takes in what decoding a sound has found.
  ///
  /// - Parameter sampleCount: the samples of the whole sound; nil where not all were decoded.
  mutating func add(packets count: Int, sampleCount: Int?) {
    packets += count
    guard let sampleCount, let told = FileLength.sampleCount(of: path) else { return }
    missingSamples = max(0, told - sampleCount)
  }

  /// What is wrong in a sentence; nil where nothing is.
  var text: String? {
    guard missingBytes == 0 else {
      return "'\(path)' is cut short: \(missingBytes.of("byte")) \(missingBytes == 1 ? "is" : "are") missing at its end"
    }
    var found: [String] = []
    if packets > 0 { found.append("has \(packets.of("damaged packet"))") }
    if missingSamples > 0 { found.append("lacks \(missingSamples.of("sample"))") }
    return found.isEmpty ? nil : "the sound of '\(path)' \(found.joined(separator: " and "))"
  }

  /// A warning about it; nil where nothing is wrong.
  func diagnostic(_ id: String) -> Diagnostic? { text.map { Diagnostic(id, $0, severity: .warning, help: Self.help) } }

  /// Fails where anything is wrong.
  func check() throws(RenderError) {
    guard let text else { return }
    throw RenderError(.invalidInput, text, help: ["export or download it again, or leave out '--strict' to use what is left"])
  }
}

/// How long files say that they are: downloads that broke off are shorter.
private enum FileLength {
  /// How many bytes are missing at the end of a sound or a video; 0 where it does not say how long it is.
  static func missingBytes(of path: String) -> Int {
    guard let file = try? RandomAccessFile(path), let start = file.bytes(at: 0, count: 12) else { return 0 }
    return max(0, (end(of: file, start) ?? 0) - file.size)
  }

  /// The samples that a FLAC file says to have; nil for other files, and where it does not say it.
  static func sampleCount(of path: String) -> Int? {
    guard let file = try? RandomAccessFile(path), let start = file.bytes(at: 0, count: 26), start.starts(with: Array("fLaC".utf8)) else {
      return nil
    }
    let count = number(start[21..<26]) & (1 << 36 - 1)
    return count > 0 ? count : nil
  }

  private static func end(of file: RandomAccessFile, _ start: [UInt8]) -> Int? {
    let (mark, form) = (Array(start[..<4]), Array(start[8...]))
    if mark == Array("RIFF".utf8), form == Array("WAVE".utf8) { return endOfSamples(file) }
    if mark == Array("RIFF".utf8), form == Array("AVI ".utf8) { return told(start[4..<8]).map { 8 + $0 } }
    if mark == [0x1A, 0x45, 0xDF, 0xA3] { return endOfMatroska(file) }
    if movieBoxes.contains(String(decoding: start[4..<8], as: UTF8.self)) { return endOfMovie(file) }
    return endOfMP3(file, start)
  }

  private static let mostParts = 10_000

  // MARK: RIFF

  /// What programs write that cannot go back to the start, because they write into a pipe: ffmpeg and others, and SoX.
  private static let openLengths: Set = [0, 0xFFFF_FFFF, 0x7FFF_F000]

  private static func told(_ bytes: ArraySlice<UInt8>) -> Int? {
    let length = number(bytes.reversed())
    return openLengths.contains(length) ? nil : length
  }

  private static func endOfSamples(_ file: RandomAccessFile) -> Int? {
    var position = 12
    for _ in 0..<mostParts {
      guard let head = file.bytes(at: position, count: 8) else { return nil }
      if head.starts(with: Array("data".utf8)) { return told(head[4..<8]).map { position + 8 + $0 } }
      let length = number(head[4..<8].reversed())
      position += 8 + length + length % 2
    }
    return nil
  }

  // MARK: MP4, QuickTime and Matroska

  private static let movieBoxes: Set = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

  /// The end of the pictures and sounds that reach beyond the file; what else may stand behind them does not count.
  private static func endOfMovie(_ file: RandomAccessFile) -> Int? {
    var position = 0
    for _ in 0..<mostParts {
      guard let head = file.bytes(at: position, count: 8) else { return nil }
      var length = number(head[..<4])
      if length == 1 {
        guard let long = file.bytes(at: position + 8, count: 8), long[0] == 0 else { return nil }
        length = number(long[...])
      }
      // A length of 0 means up to the end of the file.
      guard length >= 8 else { return nil }
      if position + length > file.size { return head[4...].elementsEqual("mdat".utf8) ? position + length : nil }
      position += length
    }
    return nil
  }

  private static func endOfMatroska(_ file: RandomAccessFile) -> Int? {
    var position = 4
    guard let header = length(in: file, at: &position) else { return nil }
    position += header
    guard file.bytes(at: position, count: 4) == [0x18, 0x53, 0x80, 0x67] else { return nil }
    position += 4
    return length(in: file, at: &position).map { position + $0 }
  }

  /// A length of Matroska and the place behind it; nil for an open one.
  private static func length(in file: RandomAccessFile, at position: inout Int) -> Int? {
    guard let first = file.bytes(at: position, count: 1)?.first, first > 0 else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard let bytes = file.bytes(at: position, count: count) else { return nil }
    position += count
    let open = 1 << (7 * count) - 1
    let length = number(bytes[...]) & open
    return length == open ? nil : length
  }

  // MARK: MP3

  /// The end by the first frame, in which encoders put the length of all of them.
  private static func endOfMP3(_ file: RandomAccessFile, _ start: [UInt8]) -> Int? {
    let isTagged = start.starts(with: Array("ID3".utf8))
    let tagLength = start[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let tag = isTagged ? 10 + tagLength : 0
    guard let frame = file.bytes(at: tag, count: 64), frame[0] == 0xFF, frame[1] & 0xE6 == 0xE2 else { return nil }
    // Behind the head of the frame, a checksum and what the decoder needs of earlier frames.
    for place in [13, 15, 21, 23, 36, 38] where ["Xing", "Info"].contains(String(decoding: frame[place..<place + 4], as: UTF8.self)) {
      let flags = number(frame[place + 4..<place + 8])
      guard flags & 2 != 0 else { return nil }
      let field = place + 8 + (flags & 1) * 4
      let length = number(frame[field..<field + 4])
      // Some encoders count the tag in front as well.
      return length > file.size ? tag + length : nil
    }
    return nil
  }

  // MARK: numbers

  /// A whole number without a sign, whose first byte counts most.
  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
