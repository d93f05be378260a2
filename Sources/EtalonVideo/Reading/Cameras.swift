internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonTypes

/// What a camera is asked for; nil for what its driver gives.
///
/// **Concurrency**: an immutable value.
package struct CameraSettings: Sendable, Hashable {
  package var size: Size?
  package var rate: FrameRate?
  /// FFmpeg's name of a pixel format, such as `yuyv422`, or of a codec, such as `mjpeg`: lower-case letters, digits and `_`.
  package var format: String?

  package init() {}
}

/// A camera that the system knows.
///
/// **Concurrency**: an immutable value.
package struct Camera: Sendable, Hashable {
  /// `/dev/video0`.
  package let path: String
  /// The name that its driver gives.
  package let name: String
  package let modes: [Mode]

  /// A form that it gives pictures in.
  package struct Mode: Sendable, Hashable {
    /// Four letters, as `YUYV`, and the driver's words for them.
    package let code: String
    package let words: String
    package let size: Size
    /// The highest rate; nil where the driver does not say.
    package let rate: Rational?
  }

  /// The cameras of the machine, by their numbers.
  package static func all(_ library: VideoLibrary? = nil) throws(RenderError) -> [Camera] {
    let library = if let library { library } else { try VideoLibrary.system() }
    let reading = unsafe library.interface.reading.pointee
    var cameras: [Camera] = []
    var found = EtalonCameraInfo()
    while unsafe reading.camera(Int32(cameras.count), &found) {
      let path = EtalonVideoMessage.text(found.path)
      cameras.append(Camera(path: path, name: EtalonVideoMessage.text(found.name), modes: modes(of: path, reading)))
    }
    return cameras
  }

  private static func modes(of path: String, _ reading: EtalonReading) -> [Mode] {
    var modes: [Mode] = []
    var mode = EtalonCameraMode()
    while unsafe reading.camera_mode(path, Int32(modes.count), &mode) {
      modes.append(
        Mode(
          code: EtalonVideoMessage.text(mode.code), words: EtalonVideoMessage.text(mode.words),
          size: Size(Int(mode.width), Int(mode.height)), rate: Rational(mode.rate)))
    }
    return modes
  }
}
