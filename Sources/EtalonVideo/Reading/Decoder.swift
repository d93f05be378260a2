internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes

/// Owns one open file with a decoder.
///
/// **Concurrency**: one thread at a time, which the lock of `VideoReader` or `SoundReader` makes sure of.
@safe
final class Decoder: @unchecked Sendable {
  private let functions: EtalonReading
  private let reader: OpaquePointer
  private let options: VideoReader.Options
  /// What messages call it.
  let name: String
  private let source: EtalonVideoMessage.Source

  /// Opens a file and decodes its first picture, or its first piece of sound.
  init(_ path: String, stream: Int?, sound: Bool, options: VideoReader.Options) throws(RenderError) {
    functions = unsafe try options.openLibrary().interface.reading.pointee
    self.options = options
    name = StreamAddress(path)?.name ?? path
    source = StreamAddress.isPipe(path) ? .pipe : StreamAddress(path) == nil ? .file : .stream
    var message = EtalonVideoMessage()
    let reader = unsafe Self.withOptions(path, stream, sound, options) { [functions] in unsafe functions.open($0, &message) }
    guard let reader = unsafe reader else { throw message.error(reading: name, from: source, sound: sound) }
    unsafe self.reader = reader
  }

  deinit { unsafe functions.close(reader) }

  private static func withOptions<Result>(
    _ path: String, _ stream: Int?, _ sound: Bool, _ options: VideoReader.Options, _ body: (UnsafePointer<EtalonReadOptions>) -> Result
  ) -> Result {
    let address = StreamAddress(path)
    let kind: EtalonSourceKind =
      switch address?.kind {
      case nil: ETALON_FROM_FILE
      case .web?: ETALON_FROM_WEB
      case .rtsp?: ETALON_FROM_RTSP
      case .pipe?: ETALON_FROM_DESCRIPTOR
      case .camera?: ETALON_FROM_CAMERA
      }
    let strings = CStrings()
    let camera = options.camera
    return unsafe (address?.place ?? path).withCString { path in
      var read = unsafe EtalonReadOptions(
        path: path, kind: kind, camera_size: camera.size.map { unsafe strings.add("\($0)") },
        camera_rate: camera.rate.map { unsafe strings.add("\($0.framesPerSecond)") },
        camera_format: camera.format.map { unsafe strings.add($0) }, stream: Int32(clamping: stream ?? -1), sound: sound,
        threads: Int32(clamping: max(0, options.threads)),
        most_side: Int32(clamping: options.mostSide), most_pixels: Int64(options.mostPixels),
        cancelled: options.cancellation.map { unsafe $0.address.assumingMemoryBound(to: Int32.self) },
        patience_milliseconds: Int32(clamping: options.patienceSeconds * 1000))
      return unsafe body(&read)
    }
  }

  /// The damaged packets and pictures that were met so far.
  var damaged: Int { Int(unsafe functions.damaged(reader)) }

  /// The errors that the decoder only logged, as long as nothing was jumped over.
  var complaints: Int { Int(unsafe functions.complaints(reader)) }

  /// The errors that the decoder only logged, also of pictures that lack others because of a jump.
  var remarks: Int { Int(unsafe functions.remarks(reader)) }

  /// What became of the connection of a stream.
  var connection: (reconnections: Int, lostParts: Int, reason: String?) {
    var info = EtalonConnectionInfo()
    unsafe functions.connection(reader, &info)
    let reason = EtalonVideoMessage.text(info.reason)
    return (Int(info.reconnections), Int(info.lost_parts), reason.isEmpty ? nil : reason)
  }

  // MARK: Pictures

  /// The next picture in the order of showing; nil behind the last.
  func next() throws(RenderError) -> DecodedPicture? {
    var frame: OpaquePointer?
    var info = unsafe EtalonFrameInfo()
    var message = EtalonVideoMessage()
    let code = unsafe functions.next(reader, &frame, &info, &message)
    if code == ETALON_VIDEO_END { return nil }
    guard code == ETALON_VIDEO_OK, let frame = unsafe frame else { throw message.error(reading: name, from: source) }
    return unsafe DecodedPicture(frame, info, functions)
  }

  /// Goes to a packet at which decoding can start, not after a time as far as the container knows; nil if there is none.
  func seek(to time: Int64) throws(RenderError) -> EtalonSeekInfo? {
    var info = EtalonSeekInfo()
    var message = EtalonVideoMessage()
    let code = unsafe functions.seek(reader, time, &info, &message)
    if code == ETALON_VIDEO_END { return nil }
    guard code == ETALON_VIDEO_OK else { throw message.error(reading: name, from: source) }
    return info
  }

  /// Asks only for the last picture that is not after a time and for those behind it, or for all (nil).
  ///
  /// Pictures that no other needs may then be left out, if one that is nearer to the time went to the decoder before them.
  func setGoal(_ time: Int64?) { unsafe functions.set_goal(reader, time ?? .min) }

  /// The latest picture up to that time that went to the decoder since the last jump, if others were left out for it; the largest number where packets
  /// may be missing, so that what was left out may be needed.
  var nearest: Int64? {
    let time = unsafe functions.nearest(reader)
    return time == .min ? nil : time
  }

  /// Whether a keyframe that was not yet read lies at or before a time; nil if the container does not know.
  func hasKeyframe(until time: Int64) -> Bool? {
    let answer = unsafe functions.has_keyframe(reader, time)
    return answer < 0 ? nil : answer > 0
  }

  /// The time of the last packet that was read.
  var position: Int64 { unsafe functions.position(reader) }

  // MARK: Sound

  /// The next piece of sound; nil behind the last.
  func nextSound() throws(RenderError) -> EtalonSoundInfo? {
    var info = EtalonSoundInfo()
    var message = EtalonVideoMessage()
    let code = unsafe functions.next_sound(reader, &info, &message)
    if code == ETALON_VIDEO_END { return nil }
    guard code == ETALON_VIDEO_OK else { throw message.error(reading: name, sound: true) }
    return info
  }

  /// Appends a channel of the last piece of sound.
  func append(channel: Int, of info: EtalonSoundInfo, to samples: inout [Float]) {
    let count = Int(info.samples)
    samples += unsafe [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let start = buffer.baseAddress { unsafe functions.copy_channel(reader, Int32(channel), start) }
      initialized = count
    }
  }

  // MARK: Descriptions

  /// What the stream says.
  func describe() -> EtalonVideoDescription {
    var description = unsafe EtalonVideoDescription()
    unsafe functions.describe(reader, &description)
    return unsafe description
  }

  /// What the streams of sound say.
  func soundStreams() -> [VideoDescription.SoundStream] {
    var streams: [VideoDescription.SoundStream] = []
    var found = unsafe EtalonSoundDescription()
    while unsafe functions.describe_sound(reader, Int32(streams.count), &found) { streams.append(unsafe .init(found)) }
    return streams
  }

  /// The texts of the file or of the stream.
  func metadata(ofStream: Bool) -> [String: String] {
    var texts: [String: String] = [:]
    var key: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
    var index: Int32 = 0
    while unsafe functions.metadata(reader, ofStream, index, &key, &value) {
      if let key = unsafe key, let value = unsafe value { unsafe texts[String(cString: key)] = String(cString: value) }
      index += 1
    }
    return texts
  }

  /// The time stamps of all packets in the order of the file, nil where one has none; and a number that tells the content of a stream from another.
  static func timeStamps(
    _ path: String, stream: Int?, options: VideoReader.Options
  ) throws(RenderError) -> (stamps: [Int64]?, content: UInt64) {
    let functions = unsafe try options.openLibrary().interface.reading.pointee
    var stamps: UnsafeMutablePointer<Int64>?
    var count: Int64 = 0
    var content: UInt64 = 0
    var message = EtalonVideoMessage()
    let code = unsafe withOptions(path, stream, false, options) { unsafe functions.time_stamps($0, &stamps, &count, &content, &message) }
    defer { unsafe stamps?.deallocate() }
    let address = StreamAddress(path)
    guard code == ETALON_VIDEO_OK else { throw message.error(reading: address?.name ?? path, from: address == nil ? .file : .stream) }
    let all = unsafe [Int64](UnsafeBufferPointer(start: stamps, count: Int(count)))
    return (all.contains(.min) ? nil : all, content)
  }
}

/// A picture in the memory of the decoder.
///
/// **Concurrency**: immutable.
@safe
final class DecodedPicture: @unchecked Sendable {
  private let frame: OpaquePointer
  private let functions: EtalonReading
  let info: EtalonFrameInfo

  init(_ frame: OpaquePointer, _ info: EtalonFrameInfo, _ functions: EtalonReading) {
    unsafe self.frame = frame
    unsafe self.info = info
    self.functions = functions
  }

  deinit { unsafe functions.release(frame) }

  /// The size of its pixels and how they are stored, for messages: `64x64 yuv420p`.
  var format: String {
    let pixels = unsafe info.pixel_format_name.map { unsafe String(cString: $0) } ?? "unknown"
    return unsafe "\(info.width)x\(info.height) \(pixels)"
  }

  /// Copies a plane out of the decoder's memory.
  func plane(_ index: Int, bits: Int) -> PixelBuffer {
    var width: Int32 = 0, height: Int32 = 0
    unsafe functions.plane_size(frame, Int32(index), &width, &height)
    let format: PixelFormat = bits > 8 ? .r16 : .r8
    let size = Size(Int(width), Int(height))
    let count = size.pixelCount * format.bytesPerPixel
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let start = buffer.baseAddress { unsafe functions.copy_plane(frame, Int32(index), start) }
      initialized = count
    }
    return PixelBuffer(size: size, format: format, alpha: .opaque, bytes: bytes)
  }
}

extension EtalonVideoMessage {
  /// What is read: a file, what comes through a pipe, or what comes from the network or a camera.
  enum Source { case file, pipe, stream }

  /// The failure to read a file as an error of Etalon.
  func error(reading name: String, from source: Source = .file, sound: Bool = false) -> RenderError {
    let isStream = source != .file
    let quoted = ShellWord.quoted(name)
    return switch code {
    case ETALON_VIDEO_NO_LIBRARY: error("cannot read '\(name)'")
    case ETALON_VIDEO_TIMED_OUT where isStream:
      error("cannot read '\(name)'", help: ["'--timeout' says for how many seconds it is waited for"])
    case ETALON_VIDEO_UNSUPPORTED where isStream:
      error("'\(name)' is not a video that Etalon reads", help: ["see whether a player shows it"])
    case ETALON_VIDEO_DAMAGED where source == .pipe:
      error(
        "'\(name)' is a damaged video",
        help: [
          "MP4 and QuickTime files come through pipes only when their index is in front, as 'ffmpeg -i clip.mp4 -c copy -movflags +faststart front.mp4' puts it: name the file, or send Matroska"
        ])
    case ETALON_VIDEO_DAMAGED where isStream: error("'\(name)' is a damaged video", help: ["see whether a player shows it"])
    case ETALON_VIDEO_UNSUPPORTED:
      error(
        "'\(name)' is not a \(sound ? "sound" : "video") that Etalon reads",
        help: ["if FFmpeg reads it, convert it: ffmpeg -i \(quoted) \(sound ? "-c:a pcm_s16le sound.wav" : "-c:v ffv1 video.mkv")"])
    case ETALON_VIDEO_DAMAGED:
      error("'\(name)' is a damaged \(sound ? "sound" : "video")", help: ["export or download it again"])
    case ETALON_VIDEO_TOO_LARGE: error("'\(name)' is too large", help: ["scale the video down first"])
    default: error("cannot read '\(name)'")
    }
  }
}
