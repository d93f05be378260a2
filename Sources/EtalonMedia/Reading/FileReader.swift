package import EtalonDiagnostics
internal import Foundation
import Glibc

/// Reads whole files, with a limit.
package enum FileReader {
  /// How often a named pipe without a writer is looked at, and the microseconds between.
  private static let patience = (looks: 20, pause: useconds_t(50_000))

  /// The bytes of a file, or of a pipe that something writes into.
  ///
  /// Fails with `missingInput` when it cannot be read and with `invalidInput` when it is larger than `limit`.
  package static func bytes(of path: String, limit: Int) throws(RenderError) -> [UInt8] {
    if let text = UnsavedTexts.bytes(of: path) {
      guard text.count <= limit else { throw tooLarge(path, limit) }
      return text
    }
    // Otherwise opening a named pipe would wait without end for something that writes into it.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw cannotRead(path, "open") }
    defer { close(descriptor) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw cannotRead(path, "fstat") }
    if information.st_mode & S_IFMT == S_IFDIR { throw isFolder(path) }
    guard information.st_size <= limit else { throw tooLarge(path, limit) }
    return try readAll(descriptor, path, expected: Int(information.st_size), limit)
  }

  /// The first bytes of a file, or all of a shorter one; none of what cannot be read, such as a pipe.
  package static func start(of path: String, count: Int) -> [UInt8] {
    if let text = UnsavedTexts.bytes(of: path) { return Array(text.prefix(count)) }
    return (try? RandomAccessFile(path)).flatMap { $0.bytes(at: 0, count: min(count, $0.size)) } ?? []
  }

  /// Whether a file is a PNG picture that moves: its chunk `acTL`, which stands before the pixels, counts more than one frame (PNG, third edition, 11.3.5).
  package static func isAnimatedPNG(_ path: String) -> Bool {
    guard FileFormat(of: start(of: path, count: 8)) == .png, let file = try? RandomAccessFile(path) else { return false }
    var place = 8
    while place + 16 <= file.size, let head = file.bytes(at: place, count: 12) {
      func number(_ offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
      switch String(decoding: head[4..<8], as: UTF8.self) {
      case "acTL": return number(8) > 1
      case "IDAT", "IEND": return false
      default: place += 12 + number(0)
      }
    }
    return false
  }

  /// Fails for what is no file with bytes in it: a folder, a pipe, an empty file, and one that may not be read.
  package static func checkIsFile(_ path: String) throws(RenderError) {
    switch FileKind(path: path) {
    case .folder: throw isFolder(path)
    case .device:
      throw RenderError(
        .missingInput, "cannot read '\(path)'", underlying: "it is a pipe or a device", help: ["put the file itself there, or a link to it"]
      )
    case .regular, .missing:
      if FileKind.isEmptyFile(path) { throw FileFormat.empty.error(path) }
      _ = try RandomAccessFile(path)
    }
  }

  /// Reads until the end, because the size of a pipe is not known and a file may grow.
  private static func readAll(_ descriptor: Int32, _ path: String, expected: Int, _ limit: Int) throws(RenderError) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = expected + 1
    var looks = 0
    while true {
      var count = 0
      let old = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: capacity))
      unsafe bytes.withUnsafeMutableBytes { unsafe count = read(descriptor, $0.baseAddress.map { unsafe $0 + old }, capacity) }
      let failure = errno
      bytes.removeLast(capacity - max(0, count))
      if count < 0, failure == EINTR { continue }
      if count < 0, failure == EAGAIN {
        _ = events(of: descriptor, timeout: -1)
        continue
      }
      guard count >= 0 else { throw cannotRead(path, "read", systemErrorText(failure)) }
      if count == 0 {
        // Files and pipes that were written to are ready at their end; a named pipe that nothing has opened yet is not.
        guard bytes.isEmpty, events(of: descriptor, timeout: 0) == 0 else { return bytes }
        looks += 1
        guard looks < patience.looks else { throw hasNoWriter(path) }
        usleep(patience.pause)
        continue
      }
      guard bytes.count <= limit else { throw tooLarge(path, limit) }
      capacity = bytes.count >= expected ? max(1 << 16, bytes.count) : expected - bytes.count + 1
    }
  }

  /// What has become of a file, within a time in milliseconds; 0 for nothing.
  private static func events(of descriptor: Int32, timeout: Int32) -> Int16 {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, timeout) > 0 ? state.revents : 0
  }

  private static func hasNoWriter(_ path: String) -> RenderError {
    RenderError(
      .missingInput, "cannot read '\(path)'", underlying: "it is a named pipe that nothing writes into",
      help: ["start what writes into it first, or name a file"])
  }

  private static func cannotRead(_ path: String, _ operation: String, _ reason: String = lastSystemError()) -> RenderError {
    let isMissing = reason == systemErrorText(ENOENT)
    return RenderError(
      .missingInput, "cannot read '\(path)'", operation: operation, underlying: reason,
      help: (isMissing ? similar(to: path) : nil).map { ["did you mean '\($0)'?"] } ?? [])
  }

  /// A file of the same kind in the same folder, with a name that is nearly the same.
  private static func similar(to path: String) -> String? {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = path[..<slash], name = path[slash...]
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let kind = String(name[dot...])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : String(folder))) ?? []
    let stems = names.filter { $0.hasSuffix(kind) }.map { String($0.dropLast(kind.count)) }
    return NearestName.find(String(name[..<dot]), in: stems).map { "\(folder)\($0)\(kind)" }
  }

  private static func isFolder(_ path: String) -> RenderError {
    RenderError(.missingInput, "cannot read '\(path)'", underlying: "it is a folder", help: ["name a file in it"])
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> RenderError {
    RenderError(.invalidInput, "'\(path)' is larger than \(limit >> 20) MiB")
  }
}

// MARK: What a file is

/// What the first bytes of a file look like.
enum FileFormat: Equatable {
  case png
  case jpeg
  case tiff
  case webP
  case dpx
  case openEXR
  /// A volume as ShaderToy's site stores it.
  case volume
  case empty
  /// A kind of file that Etalon knows by name and does not read as a picture.
  case known(String)
  /// Text; the first characters.
  case text(String)
  /// None of these; the first bytes in hexadecimal.
  case unknown(String)

  private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, Array("GIF8".utf8), "a GIF picture"), (0, Array("BM".utf8), "a BMP picture"),
    (0, Array("#?RADIANCE".utf8), "a Radiance HDR picture"),
    (4, Array("ftypavif".utf8), "an AVIF picture"), (4, Array("ftyphei".utf8), "a HEIF picture"),
    (4, Array("ftypmif1".utf8), "a HEIF picture"),
    (4, Array("ftyp".utf8), "\(video) (MP4 or QuickTime)"), (0, [0x1A, 0x45, 0xDF, 0xA3], "\(video) (Matroska or WebM)"),
    (8, Array("AVI ".utf8), "\(video) (AVI)"),
    (0, [0x1F, 0x07, 0], "\(video) (DV)"), (0, [0x30, 0x26, 0xB2, 0x75], "\(video) (ASF or Windows Media)"),
    (0, Array("nut/multimedia".utf8), "\(video) (NUT)"), (0, [0, 0, 0, 1], "\(video) (H.264 or HEVC without a container)"),
    (8, Array("WAVE".utf8), sound), (0, Array("ID3".utf8), "\(sound) (MP3)"),
    (0, Array("fLaC".utf8), "\(sound) (FLAC)"), (0, Array("OggS".utf8), "\(sound) (Ogg)"),
    (0, Array("8BPS".utf8), "a Photoshop document"), (0, Array("DDS ".utf8), "a DDS texture"),
    (0, [0xAB, 0x4B, 0x54, 0x58], "a KTX texture"),
    (0, [0, 0, 0, 0x0C, 0x6A, 0x50], "a JPEG 2000 picture"), (0, [0xFF, 0x0A], "a JPEG XL picture"),
    (0, Array("qoif".utf8), "a QOI picture"),
    (0, Array("P5".utf8), "a PGM picture"), (0, Array("P6".utf8), "a PPM picture"), (0, Array("%PDF".utf8), "a PDF document"),
    (0, [0x50, 0x4B, 3, 4], "a ZIP archive"), (0, [0x1F, 0x8B], "a gzip file"), (0, [0x7F, 0x45, 0x4C, 0x46], "a program"),
    (0, Array("RIFF".utf8), "a RIFF file"), (0, Array("version https://git-lfs".utf8), pointer),
    (0, Array("<svg".utf8), "an SVG drawing"), (0, Array("<!DOCTYPE html".utf8), "a web page"), (0, Array("<html".utf8), "a web page"),
  ]

  init(of bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if TIFFReader.recognizes(bytes) {
      self = .tiff
    } else if bytes.count > 20, bytes[8..<16].elementsEqual("WEBPVP8X".utf8), bytes[20] & 2 != 0 {
      self = .known(Self.movingWebP)
    } else if WebPReader.recognizes(bytes) {
      self = .webP
    } else if DPXReader.recognizes(bytes) {
      self = .dpx
    } else if EXRReader.recognizes(bytes) {
      self = .openEXR
    } else if VolumeReader.recognizes(bytes) {
      self = .volume
    } else if bytes.isEmpty {
      self = .empty
    } else if let match = Self.signatures.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) {
      self = .known(match.name)
    } else {
      self = Self.guess(bytes.prefix(24))
    }
  }

  private static func guess(_ start: ArraySlice<UInt8>) -> FileFormat {
    let isText = start.allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
    guard isText else { return .unknown(start.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")) }
    return .text(String(decoding: start.prefix { $0 >= 0x20 }, as: UTF8.self))
  }

  private static let pointer = "a Git LFS pointer, not the picture itself"

  private static let video = "a video"
  private static let movingWebP = "a WebP picture that moves"
  private static let sound = "a sound"

  /// What to do with a file that was named as a picture.
  private func help(_ name: String) -> String {
    if self == .volume { return "give it to an input that reads a volume" }
    guard case .known(let kind) = self else { return "convert it to PNG first" }
    if kind == Self.pointer { return "type 'git lfs pull' to get the picture" }
    if kind == Self.movingWebP {
      // FFmpeg's libraries decode none before 7.1.
      let path = ShellWord.quoted(name)
      return "make numbered pictures of it: apt-get install webp; anim_dump \(path), and name them: 'dump_####.png,rate=24'"
    }
    if kind.hasPrefix(Self.video) {
      return "make numbered pictures of it: ffmpeg -i \(ShellWord.quoted(name)) 'frame.%04d.png', and name them: 'frame.####.png,rate=24'"
    }
    if kind.hasPrefix(Self.sound) { return "sounds are for filters that listen to one" }
    return "convert it to PNG first"
  }

  /// What it is, in words.
  var words: String {
    switch self {
    case .png: "it is a PNG picture"
    case .jpeg: "it is a JPEG picture"
    case .tiff: "it is a TIFF picture"
    case .webP: "it is a WebP picture"
    case .dpx: "it is a DPX picture"
    case .openEXR: "it is an OpenEXR picture"
    case .volume: "it is a volume, which flat inputs and cubes cannot show"
    case .empty: "the file is empty"
    case .known(let kind): "it is \(kind)"
    case .text(let start): "it is text that starts with '\(start)'"
    case .unknown(let start): "it starts with the bytes \(start)"
    }
  }

  /// The error about a file that is no picture that is read.
  func error(_ name: String) -> RenderError {
    if self == .empty { return RenderError(.invalidInput, "'\(name)' is an empty file", help: ["export or download it again"]) }
    return RenderError(
      .invalidInput, "'\(name)' is not a picture that is read", underlying: words,
      help: [help(name)])
  }
}
