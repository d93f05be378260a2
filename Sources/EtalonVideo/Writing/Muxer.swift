internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Glibc

/// Owns one file that FFmpeg writes packets into.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class Muxer {
  private let writing: EtalonWriting
  private let handle: OpaquePointer
  /// What errors call the file.
  private let name: String

  /// Opens a file, which is emptied.
  init(
    _ settings: VideoOutputSettings, container: VideoContainer, path: String, options: [EncoderOptions.Option], _ writing: EtalonWriting
  ) throws(RenderError) {
    self.writing = writing
    name = settings.path
    let strings = CStrings()
    var message = EtalonVideoMessage()
    var metadata = settings.metadata.map { ($0.key, $0.value) }
    if let timecode = settings.timecode { metadata.append(("timecode", timecode)) }
    let entries = unsafe strings.options(metadata)
    let list = unsafe strings.options(options)
    let handle = unsafe list.withUnsafeBufferPointer { list in
      unsafe entries.withUnsafeBufferPointer { entries in
        var native = unsafe EtalonMuxerSettings(
          path: strings.add(path), container: strings.add(container.libraryName), options: list.baseAddress, optionCount: Int32(list.count),
          metadata: entries.baseAddress, metadataCount: Int32(entries.count))
        return unsafe writing.muxer_open(&native, &message)
      }
    }
    guard let handle = unsafe handle else { throw Self.cannotWrite(settings.path, message) }
    unsafe self.handle = handle
  }

  deinit { unsafe writing.muxer_close(handle) }

  /// Adds the track of an encoder; returns its number.
  func addVideo(_ encoder: PacketEncoder, displayMatrix: [Int32]?, light: LightLevels?) throws(RenderError) -> Int32 {
    var message = EtalonVideoMessage()
    let track = unsafe (displayMatrix ?? []).withUnsafeBufferPointer { matrix in
      var settings = unsafe EtalonTrackSettings(
        displayMatrix: displayMatrix == nil ? nil : matrix.baseAddress, metadata: nil, metadataCount: 0, light: Self.native(light))
      return unsafe writing.muxer_add_video(handle, encoder.handle, &settings, &message)
    }
    guard track >= 0 else { throw Self.cannotWrite(name, message) }
    return track
  }

  private static func native(_ light: LightLevels?) -> EtalonLight {
    guard let light else { return EtalonLight(peak: 0, brightest: 0, brightestMean: 0) }
    // CTA-861.3 counts in whole candela per square meter, where zero says that nothing is known.
    func whole(_ nits: Double) -> UInt32 { UInt32(max(1, nits.rounded(.up))) }
    return EtalonLight(peak: Int32(light.peak), brightest: whole(light.brightest), brightestMean: whole(light.brightestMean))
  }

  /// Adds the track of a sound; returns its number.
  func addSound(_ sound: SoundTrack) throws(RenderError) -> Int32 {
    var message = EtalonVideoMessage()
    let strings = CStrings()
    let metadata = unsafe strings.options(sound.metadata)
    let track = unsafe metadata.withUnsafeBufferPointer { metadata in
      var settings = unsafe EtalonTrackSettings(
        displayMatrix: nil, metadata: metadata.baseAddress, metadataCount: Int32(metadata.count), light: Self.native(nil))
      return unsafe writing.muxer_add_sound(handle, sound.handle, &settings, &message)
    }
    guard track >= 0 else { throw Self.cannotWrite(name, message) }
    return track
  }

  /// Writes what stands before the packets.
  func begin() throws(RenderError) {
    var message = EtalonVideoMessage()
    guard unsafe writing.muxer_begin(handle, &message) == 1 else { throw Self.cannotWrite(name, message) }
  }

  /// Writes a packet, which is empty afterwards.
  func write(_ packet: Packet, track: Int32) throws(RenderError) {
    var message = EtalonVideoMessage()
    guard unsafe writing.muxer_write(handle, track, packet.handle, &message) == 1 else { throw Self.cannotWrite(name, message) }
  }

  /// Writes what stands behind the packets, and closes the file.
  func finish() throws(RenderError) {
    var message = EtalonVideoMessage()
    guard unsafe writing.muxer_finish(handle, &message) == 1 else { throw Self.cannotWrite(name, message) }
  }

  static func cannotWrite(_ path: String, _ message: EtalonVideoMessage) -> RenderError {
    message.error("cannot write '\(path)'", help: message.reasonText.map(WriteFailure.help) ?? [])
  }
}

/// What to do where the system refuses to write.
enum WriteFailure {
  /// What to type, by the system's text.
  static func help(_ reason: String) -> [String] {
    let code = [ENOSPC, EDQUOT, EFBIG, EACCES, EPERM, EROFS, ENOENT].first { reason == text($0) }
    return code.map { help($0) } ?? []
  }

  private static func help(_ code: Int32) -> [String] {
    switch code {
    case ENOSPC, EDQUOT: ["free some space, or write a smaller video: a lower --quality, fewer frames"]
    case EFBIG: ["allow larger files (see 'ulimit -f'), or write a smaller video"]
    case ENOENT: ["make the folder first"]
    case EACCES, EPERM, EROFS: ["choose a folder that you may write to"]
    default: []
    }
  }

  /// The system's text for an `errno`.
  static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// The error of a call of the system that just failed.
  static func error(_ path: String, _ operation: String) -> RenderError {
    let code = errno
    return RenderError(.cannotWrite, "cannot write '\(path)'", operation: operation, underlying: text(code), help: help(code))
  }
}
