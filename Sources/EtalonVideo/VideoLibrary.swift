internal import CFFmpeg
package import EtalonDiagnostics

/// FFmpeg's libraries on this machine.
///
/// ```
/// let library = try VideoLibrary.system()
/// print(library.versions)
/// ```
///
/// **Concurrency**: an immutable value. The libraries stay open as long as the process.
@safe
package struct VideoLibrary: Sendable {
  private let opened: Opened

  /// The versions of the libraries: `libavformat 59.27.100, libavcodec 59.37.100, libavutil 57.28.100`.
  package let versions: String
  /// The licence of the libraries in their own words, such as `GPL version 2 or later`.
  package let license: String
  /// The major version of libavformat.
  package let major: Int

  /// The functions of the shim for these libraries.
  var interface: EtalonVideoInterface { unsafe opened.interface.pointee }

  private static let found = Result { () throws(RenderError) in try VideoLibrary(folder: nil) }

  /// The libraries that the system finds; they are looked for once.
  package static func system() throws(RenderError) -> VideoLibrary { try found.get() }

  /// Opens libraries.
  ///
  /// - Parameters:
  ///   - folder: where the libraries are; nil for where the system looks.
  ///   - shims: where the shims for other major versions are; nil for the folder of the executable.
  package init(folder: String?, shims: String? = nil) throws(RenderError) {
    var message = EtalonVideoMessage()
    guard let interface = unsafe etalon_video_open(folder, shims, &message) else { throw Self.missing(message) }
    unsafe opened = Opened(interface: interface)
    versions = unsafe String(cString: interface.pointee.versions)
    license = unsafe String(cString: interface.pointee.license)
    major = Int(unsafe interface.pointee.major)
  }

  private static func missing(_ message: EtalonVideoMessage) -> RenderError {
    let packages = unsafe etalon_video_packages().map { unsafe String(cString: $0) }
    return RenderError(
      .missingInput, "videos are read and written with FFmpeg's libraries, which cannot be opened",
      operation: message.functionName, underlying: message.reasonText,
      help: [
        packages.map { "install the libraries that this build was made for: apt-get install \($0)" }
          ?? "install FFmpeg's headers (libavformat-dev, libavcodec-dev, libswresample-dev) and build again",
        "numbered pictures work without them: ffmpeg -i video.mp4 'frame.%04d.png'",
      ])
  }

  @safe
  private struct Opened: @unchecked Sendable {
    let interface: UnsafePointer<EtalonVideoInterface>
  }
}

extension EtalonVideoMessage {
  /// The function that failed; nil where none is named.
  var functionName: String? {
    let name = Self.text(operation)
    return name.isEmpty ? nil : name
  }

  /// Why it failed; nil where it is not known.
  var reasonText: String? {
    let reason = Self.text(reason)
    return reason.isEmpty ? nil : reason
  }

  /// The failure as an error of Etalon.
  ///
  /// - Parameter what: what could not be done, such as `cannot read 'a.mp4'`.
  func error(_ what: String, help: [String] = []) -> RenderError {
    let kind: RenderError.Code =
      switch code {
      case ETALON_VIDEO_NO_LIBRARY, ETALON_VIDEO_CANNOT_READ: .missingInput
      case ETALON_VIDEO_UNSUPPORTED, ETALON_VIDEO_DAMAGED, ETALON_VIDEO_TOO_LARGE: .invalidInput
      case ETALON_VIDEO_CANCELLED: .interrupted
      case ETALON_VIDEO_TIMED_OUT: .timedOut
      case ETALON_VIDEO_NO_MEMORY: .outOfMemory
      case ETALON_VIDEO_CANNOT_WRITE: .cannotWrite
      case ETALON_VIDEO_BAD_OPTION: .usage
      default: .internalError
      }
    return RenderError(kind, what, operation: functionName, underlying: reasonText, help: help)
  }

  /// The text of a fixed array of characters, up to its final zero.
  static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
