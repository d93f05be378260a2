import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// A folder for the files of one test, removed with the object.
final class WritingFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/etalon-writing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of all files in it, hidden ones too.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// Runs a program to its end; returns what it printed.
@discardableResult
func runProgram(_ words: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  let output = Pipe()
  process.standardOutput = output
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(words.joined(separator: " "))")
  return data
}

/// What `ffprobe` says, one `key=value` a line.
func probe(_ path: String, _ entries: String, _ more: [String] = []) throws -> [String] {
  let words = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "default=noprint_wrappers=1"] + more + [path]
  return String(decoding: try runProgram(words), as: UTF8.self).split(separator: "\n").map(String.init)
}

/// The planes of all frames as `ffmpeg` decodes them.
func decoded(_ path: String, pixelFormat: String, decoder: String? = nil) throws -> [UInt8] {
  let choice = decoder.map { ["-c:v", $0] } ?? []
  return Array(
    try runProgram(
      ["ffmpeg", "-v", "error", "-nostdin"] + choice + [
        "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
      ]))
}

/// A frame that moves: gradients with a square, the same for the same number.
struct TestFrame {
  let layout: PlaneLayout
  let size: Size
  /// The planes one after the other, without bytes between rows.
  let bytes: [UInt8]

  /// Takes planes one after the other.
  init(_ layout: PlaneLayout, _ size: Size, _ bytes: [UInt8]) {
    self.layout = layout
    self.size = size
    self.bytes = bytes
  }

  init(_ number: Int, _ layout: PlaneLayout, _ size: Size) {
    self.layout = layout
    self.size = size
    let largest = (1 << layout.bits) - 1
    var bytes: [UInt8] = []
    for plane in 0..<layout.planeCount {
      let planeSize = layout.size(ofPlane: plane, in: size)
      for y in 0..<planeSize.height {
        for x in 0..<planeSize.width {
          let isInside = (x + number * 2) % planeSize.width < planeSize.width / 3 && y > planeSize.height / 3
          let slope = (x * (3 + plane) + y * (5 - plane) + number * 7) * largest / (12 * max(size.width, size.height))
          let value = isInside ? largest / (2 + plane) : min(slope, largest)
          bytes.append(UInt8(value & 0xFF))
          if layout.bytesPerSample == 2 { bytes.append(UInt8(value >> 8)) }
        }
      }
    }
    self.bytes = bytes
  }
}

extension TestFrame {
  func withPlanes(_ body: ([FramePlane]) throws -> Void) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      var planes: [FramePlane] = unsafe []
      for plane in 0..<layout.planeCount {
        let size = layout.size(ofPlane: plane, in: size)
        let rowBytes = size.width * layout.bytesPerSample
        let rows = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + rowBytes * size.height])
        unsafe planes.append(FramePlane(rows: rows, bytesPerRow: rowBytes))
        offset += rowBytes * size.height
      }
      try unsafe body(planes)
    }
  }
}

extension VideoWriter {
  /// Writes planes that lie one after the other.
  func write(_ frame: TestFrame, timeStamp: Rational? = nil) throws {
    try unsafe frame.withPlanes { planes in try unsafe write(planes, timeStamp: timeStamp) }
  }
}

/// Writes a video of some frames; returns the bytes of all planes that were written.
@discardableResult
func writeVideo(_ settings: VideoOutputSettings, frames: Int) throws -> [UInt8] {
  let writer = try VideoWriter(settings)
  var all: [UInt8] = []
  for number in 0..<frames {
    let frame = TestFrame(number, settings.layout, settings.size)
    all += frame.bytes
    try writer.write(frame)
  }
  try writer.finish()
  return all
}
