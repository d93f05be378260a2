internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// Owns one packet, which may be empty.
@safe
final class Packet {
  private let writing: EtalonWriting
  let handle: OpaquePointer

  init(_ writing: EtalonWriting) throws(RenderError) {
    self.writing = writing
    guard let handle = unsafe writing.packet_new() else {
      throw RenderError(.outOfMemory, "no memory is left for a packet of a video", operation: "av_packet_alloc")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe writing.packet_free(handle) }
}

/// Owns one encoder of FFmpeg's.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class PacketEncoder {
  private let writing: EtalonWriting
  let handle: OpaquePointer
  private let path: String

  init(_ settings: VideoOutputSettings, _ writing: EtalonWriting) throws(RenderError) {
    self.writing = writing
    path = settings.path
    let strings = CStrings()
    let options = EncoderOptions(settings)
    guard let encoder = settings.encoder(writing) else { throw Self.noEncoder(settings) }
    var message = EtalonVideoMessage()
    let list = unsafe strings.options(options.options(encoder))
    let handle = unsafe list.withUnsafeBufferPointer { list in
      var native = unsafe EtalonEncoderSettings(
        codec: strings.add(encoder.rawValue), pixelFormat: strings.add(options.pixelFormat), planeOrder: options.planeOrder,
        planeCount: Int32(settings.layout.planeCount), width: Int32(settings.size.width), height: Int32(settings.size.height),
        threads: Int32(settings.threads), timeBase: EtalonVideoFraction(settings.timing.tick),
        frameRate: settings.timing.rate.map { EtalonVideoFraction($0.framesPerSecond) } ?? .none,
        pixelAspect: EtalonVideoFraction(settings.pixelAspect), range: Int32(settings.color.range.rawValue),
        matrix: Int32(settings.color.matrix.rawValue), primaries: Int32(settings.color.primaries.rawValue),
        transfer: Int32(settings.color.transfer.rawValue), chromaLocation: Int32(settings.color.chromaLocation.rawValue),
        keyInterval: options.keyInterval, options: list.baseAddress, optionCount: Int32(list.count))
      return unsafe writing.encoder_open(&native, &message)
    }
    guard let handle = unsafe handle else {
      throw message.error("cannot encode '\(settings.path)' with \(encoder.rawValue)")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe writing.encoder_close(handle) }

  private static func noEncoder(_ settings: VideoOutputSettings) -> RenderError {
    let names = settings.codec.encoders.map(\.rawValue).joined(separator: " or ")
    return RenderError(.missingInput, "cannot write '\(settings.path)'", underlying: "FFmpeg's libraries have no encoder \(names)")
  }

  /// What decoders need before the first packet.
  var header: [UInt8] {
    var count: Int32 = 0
    let bytes = unsafe writing.encoder_header(handle, &count)
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// Planes for C.
  static func native(_ planes: [FramePlane]) -> [EtalonPlane] {
    unsafe planes.map { plane in
      unsafe EtalonPlane(rows: plane.rows.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow: plane.bytesPerRow)
    }
  }

  /// Takes a frame, which may be reused afterwards.
  func send(_ planes: [EtalonPlane], time: Int64) throws(RenderError) {
    var message = EtalonVideoMessage()
    let result = unsafe planes.withUnsafeBufferPointer { planes in
      guard let first = planes.baseAddress else { preconditionFailure("a frame without planes") }
      return unsafe writing.encoder_send(handle, first, time, &message)
    }
    guard result == 1 else { throw message.error("cannot encode a frame of '\(path)'") }
  }

  /// No more frames come.
  ///
  /// - Parameter time: when the last one ends; nil for as long as the one before it.
  func end(at time: Int64?) throws(RenderError) {
    var message = EtalonVideoMessage()
    guard unsafe writing.encoder_end(handle, time ?? .min, &message) == 1 else { throw message.error("cannot encode a frame of '\(path)'") }
  }

  /// Fills the packet with the next one; false when more frames are needed.
  func receive(_ packet: Packet) throws(RenderError) -> Bool {
    var message = EtalonVideoMessage()
    let result = unsafe writing.encoder_receive(handle, packet.handle, &message)
    guard result >= 0 else { throw message.error("cannot encode a frame of '\(path)'") }
    return result == 1
  }
}
