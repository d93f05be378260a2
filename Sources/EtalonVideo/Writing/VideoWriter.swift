internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonMedia
package import EtalonTypes
internal import Foundation
internal import Glibc

/// Writes one video: frames come in, a file appears when it is whole.
///
/// ```
/// let writer = try VideoWriter(settings)
/// for frame in frames { try writer.write(frame.planes) }
/// try writer.finish()
/// ```
///
/// After an error the object is of no use, and nothing is left behind when it is gone.
///
/// **Concurrency**: used by one thread at a time; the encoder works on threads of its own.
@safe
package final class VideoWriter {
  private let settings: VideoOutputSettings
  private let track: any FrameTrack
  /// Nil where the muxer writes several files, each of which it renames itself.
  private var file: OutputFile?
  private var isOpen = true

  /// What a person shall be told: that sound is encoded again, for example.
  package var notes: [String] { track.notes }

  /// How many frames it was given.
  package private(set) var frameCount = 0
  private var lastTime: Int64?

  /// The bytes that have been written to the file so far.
  package var byteCount: Int { file?.byteCount ?? 0 }

  /// Opens the encoder and a file under a temporary name.
  ///
  /// The settings must be free of errors, which `VideoOutputSettings.diagnostics(_:)` finds.
  package init(_ settings: VideoOutputSettings, library: VideoLibrary? = nil) throws(RenderError) {
    guard let container = settings.container else { preconditionFailure("'\(settings.path)' does not end like a video") }
    precondition(settings.codec.layouts.contains(settings.layout), "\(settings.codec) of \(settings.layout)")
    let library = if let library { library } else { try VideoLibrary.system() }
    let writing = unsafe library.interface.writing.pointee
    self.settings = settings
    let file = container == .m3u8 ? nil : try OutputFile(settings.path)
    if file == nil {
      try OutputFile.makeFolder(around: settings.path)
      for part in Self.parts(ofPlaylist: settings.path) { unsafe unlink(part) }
    }
    let path = file?.temporaryPath ?? settings.path
    track =
      if container == .gif {
        try GIFTrack(settings, path: path, writing)
      } else if SpooledTrack.isNeeded(settings) {
        try SpooledTrack(settings, path: path, writing)
      } else {
        try VideoTrack(settings, container: container, path: path, writing)
      }
    self.file = file
  }

  /// The files that are there and called like the parts of an HLS stream; none for other videos.
  package static func parts(ofPlaylist path: String) -> [String] {
    guard VideoContainer(path: path) == .m3u8 else { return [] }
    let place = URL(filePath: path)
    let folder = place.deletingLastPathComponent().path, stem = place.deletingPathExtension().lastPathComponent + "."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      guard name.hasPrefix(stem), name.hasSuffix(".ts") else { return false }
      let number = name.dropFirst(stem.count).dropLast(3)
      return number.count >= 5 && number.allSatisfy { $0.isASCII && $0.isNumber }
    }.sorted().map { "\(folder)/\($0)" }
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - planes: as `settings.layout` says; read before the call returns.
  ///   - timeStamp: in seconds, later than that of the frame before; nil for videos with a rate.
  package func write(_ planes: [FramePlane], timeStamp: Rational? = nil) throws(RenderError) {
    precondition(isOpen, "a frame for a video that ended")
    unsafe settings.check(planes)
    let time = try settings.ticks(of: timeStamp, frame: frameCount, after: lastTime)
    try unsafe track.write(planes, time: time)
    lastTime = time
    frameCount += 1
  }

  /// Ends the video and gives it its name.
  ///
  /// - Parameter end: when the last frame ends, in seconds; nil for as long as the one before it.
  package func finish(end: Rational? = nil) throws(RenderError) {
    try finish(as: nil, end: end)
  }

  /// Ends the video early, with the frames that it has, under the name `glow.part.mp4`, or with the next number where that is another file; returns the
  /// path, or nil where there is no frame.
  package func finishPart() throws(RenderError) -> String? {
    guard isOpen, frameCount > 0 else {
      abandon()
      return nil
    }
    let path = file == nil ? settings.path : settings.partPath
    try finish(as: path, end: nil)
    return path
  }

  private func finish(as path: String?, end: Rational?) throws(RenderError) {
    precondition(isOpen, "a video that ended")
    isOpen = false
    // Whatever fails, the file goes with the object.
    let file = file
    self.file = nil
    try track.finish(end: end.map { settings.nearestTick($0) })
    try file?.place(as: path, synchronizes: settings.synchronizes)
  }

  /// Gives the video up, and removes what was written.
  ///
  /// What was published of an HLS stream stays; its list ends, so that nothing waits for more.
  package func abandon() {
    if isOpen, file == nil, frameCount > 0 { try? track.finish(end: nil) }
    isOpen = false
    file = nil
  }
}

extension VideoOutputSettings {
  /// When a frame begins, in ticks.
  ///
  /// - Parameters:
  ///   - frame: its number; the time of frames with a rate.
  ///   - before: when the frame before it begins.
  func ticks(of timeStamp: Rational?, frame: Int, after before: Int64?) throws(RenderError) -> Int64 {
    guard case .timeStamps = timing else {
      precondition(timeStamp == nil, "a time stamp for a video with a rate")
      return Int64(frame)
    }
    guard let timeStamp else { preconditionFailure("a frame without a time stamp") }
    let time = nearestTick(timeStamp)
    if let before, time <= before {
      throw RenderError(
        .invalidInput, "cannot write '\(path)'", underlying: "frame \(frame) at \(timeStamp) s is not later than the one before it")
    }
    return time
  }

  /// The tick that is nearest to a time in seconds.
  func nearestTick(_ time: Rational) -> Int64 { Int64((time / timing.tick + Rational(1, 2)).floor) }

  /// Planes that are too small are an error of the caller.
  func check(_ planes: [FramePlane]) {
    precondition(unsafe planes.count == layout.planeCount, "\(unsafe planes.count) planes for \(layout)")
    for index in 0..<layout.planeCount {
      let size = layout.size(ofPlane: index, in: size)
      let rowBytes = size.width * layout.bytesPerSample
      let plane = unsafe planes[index]
      precondition(
        unsafe plane.bytesPerRow >= rowBytes && plane.rows.count >= plane.bytesPerRow * (size.height - 1) + rowBytes,
        "plane \(index) is too small for \(size)")
    }
  }
}
