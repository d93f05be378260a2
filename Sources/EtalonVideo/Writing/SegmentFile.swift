internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Glibc

/// Compressed frames on the disk, with everything that a container is told about them later.
///
/// Numbers have their lowest byte first: the text `etalon-packets-1`, the number of bytes of the encoder's header and the bytes, then for each packet its time,
/// decoding time and duration (64 bits each), its flags, its bytes and its pieces of side data (32 bits each), each piece with kind and number of bytes (32 bits
/// each), the bytes of the packet, and a checksum of all of that (64 bits). It ends with 16 bytes of zero.
enum SegmentFile {
  static let signature = Array("etalon-packets-1".utf8)
  static let ending = [UInt8](repeating: 0, count: 16)
}

/// Writes one file of packets.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class SegmentFileWriter {
  private static let bufferSize = 1 << 20

  private let writing: EtalonWriting
  private let file: OutputFile
  /// What errors call the video.
  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The bytes of the whole file.
  private(set) var byteCount = 0

  init(_ path: String, name: String, header: [UInt8], _ writing: EtalonWriting) throws(RenderError) {
    self.writing = writing
    self.name = name
    file = try OutputFile(path)
    descriptor = unsafe open(file.temporaryPath, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw WriteFailure.error(name, "open") }
    buffer += SegmentFile.signature
    append(Int32(header.count))
    buffer += header
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ packet: Packet) throws(RenderError) {
    let start = buffer.count
    let contents = unsafe writing.packet_contents(packet.handle)
    append(unsafe contents.time)
    append(unsafe contents.decodingTime)
    append(unsafe contents.duration)
    append(unsafe contents.flags)
    append(unsafe contents.byteCount)
    append(unsafe contents.sideDataCount)
    for index in 0..<(unsafe contents.sideDataCount) {
      let data = unsafe writing.packet_side_data(packet.handle, index)
      append(unsafe data.kind)
      append(unsafe data.byteCount)
      unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: data.bytes, count: Int(data.byteCount)))
    }
    unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: contents.bytes, count: Int(contents.byteCount)))
    append(unsafe buffer.withUnsafeBytes { unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: $0[start...])) })
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Ends the file and gives it its name.
  func finish(synchronizes: Bool) throws(RenderError) {
    buffer += SegmentFile.ending
    try flush()
    try file.place(synchronizes: synchronizes)
  }

  /// Ends the file without giving it a name; returns where it is, as long as the object is there.
  func end() throws(RenderError) -> String {
    buffer += SegmentFile.ending
    try flush()
    return file.temporaryPath
  }

  private func append<Number: FixedWidthInteger>(_ number: Number) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe buffer.append(contentsOf: $0) }
  }

  private func flush() throws(RenderError) {
    var done = 0
    while done < buffer.count {
      let written = unsafe buffer.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw WriteFailure.error(name, "write") }
      done += written
    }
    byteCount += done
    buffer.removeAll(keepingCapacity: true)
  }
}

/// One file of packets, of which only the parts that are looked at are read.
struct SegmentFileReader {
  /// A packet without its bytes.
  struct Record {
    var time: Int64
    var decodingTime: Int64
    var duration: Int64
    var flags: Int32
    /// The whole record, without its checksum.
    var place: Range<Int>
    /// Where the bytes of the packet are.
    var bytes: Range<Int>
    var sideData: [(kind: Int32, bytes: Range<Int>)]
  }

  private let data: Data
  /// The encoder's header.
  let header: [UInt8]
  private let firstRecord: Int

  /// Nil for a file that is missing or no file of packets.
  init?(_ path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return nil }
    let start = SegmentFile.signature.count + 4
    guard data.count >= start + SegmentFile.ending.count, Array(data.prefix(SegmentFile.signature.count)) == SegmentFile.signature,
      Array(data.suffix(SegmentFile.ending.count)) == SegmentFile.ending
    else { return nil }
    self.data = data
    let count = Int(Self.number(data, at: start - 4, as: Int32.self))
    guard count >= 0, count <= data.count - start - SegmentFile.ending.count else { return nil }
    header = Array(data[start..<start + count])
    firstRecord = start + count
  }

  /// All packets in the order of decoding; nil where the file is damaged.
  func records() -> [Record]? {
    var records: [Record] = []
    var place = firstRecord
    let end = data.count - SegmentFile.ending.count
    while place < end {
      guard place + 36 <= end else { return nil }
      var record = Record(
        time: number(at: place), decodingTime: number(at: place + 8), duration: number(at: place + 16), flags: number(at: place + 24),
        place: place..<place, bytes: 0..<0, sideData: [])
      let start = place
      let byteCount = Int(number(at: place + 28) as Int32)
      let sideDataCount = number(at: place + 32) as Int32
      guard byteCount >= 0, (0...16).contains(sideDataCount) else { return nil }
      place += 36
      for _ in 0..<sideDataCount {
        guard place + 8 <= end else { return nil }
        let count = Int(number(at: place + 4) as Int32)
        guard count >= 0, count <= end - place - 8 else { return nil }
        record.sideData.append((number(at: place), place + 8..<place + 8 + count))
        place += 8 + count
      }
      guard byteCount <= end - place - 8 else { return nil }
      record.bytes = place..<place + byteCount
      record.place = start..<place + byteCount
      place += byteCount + 8
      records.append(record)
    }
    return records
  }

  /// Whether the bytes of a record are those that were written.
  func isWhole(_ record: Record) -> Bool {
    let sum = unsafe data.withUnsafeBytes { unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: $0[record.place])) }
    return sum == number(at: record.place.upperBound)
  }

  /// Puts a record into a packet.
  func fill(_ packet: Packet, with record: Record, _ writing: EtalonWriting) throws(RenderError) {
    let result = unsafe data.withUnsafeBytes { data in
      Result { () throws(RenderError) in
        var message = EtalonVideoMessage()
        var contents = unsafe EtalonPacketContents(
          time: record.time, decodingTime: record.decodingTime, duration: record.duration, flags: record.flags,
          byteCount: Int32(record.bytes.count), bytes: Self.pointer(data, record.bytes), sideDataCount: 0)
        guard unsafe writing.packet_set(packet.handle, &contents, &message) == 1 else { throw message.error("cannot join a video") }
        for piece in record.sideData {
          var native = unsafe EtalonSideData(kind: piece.kind, byteCount: Int32(piece.bytes.count), bytes: Self.pointer(data, piece.bytes))
          guard unsafe writing.packet_add(packet.handle, &native, &message) == 1 else { throw message.error("cannot join a video") }
        }
      }
    }
    try result.get()
  }

  private static func pointer(_ data: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafePointer<UInt8>? {
    unsafe data.baseAddress.map { unsafe ($0 + range.lowerBound).assumingMemoryBound(to: UInt8.self) }
  }

  private func number<Number: FixedWidthInteger>(at place: Int) -> Number { Self.number(data, at: place, as: Number.self) }

  private static func number<Number: FixedWidthInteger>(_ data: Data, at place: Int, as: Number.Type) -> Number {
    unsafe data.withUnsafeBytes { unsafe Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }
}
