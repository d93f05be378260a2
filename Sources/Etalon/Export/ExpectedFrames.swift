package import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
package import EtalonTypes

/// What the files must be that an export of a shot writes, for those who check what others wrote.
///
/// **Concurrency**: as the shot.
package struct ExpectedFrames: Sendable {
  /// A file of a frame.
  package struct File: Sendable, Hashable {
    package let path: String
    package let size: Size
    /// Bits of a number.
    package let bits: Int
    /// What it says about itself, its recipe among it.
    package let provenance: FrameProvenance
    /// The names of its pictures: one without a name, or the layers of an OpenEXR file.
    package let layers: [String]
  }

  private let shot: Shot
  private let destination: SequenceExport.Destination

  package init(_ shot: Shot, _ destination: SequenceExport.Destination) { (self.shot, self.destination) = (shot, destination) }

  /// The wanted frames in rendering order.
  package var frames: [Int] { shot.frames }
  /// What renders them here.
  package var deviceName: String { shot.deviceName }
  package var isOfCPU: Bool { shot.isOfCPU }

  /// The files of a frame.
  package func files(of frame: Int) throws(RenderError) -> [File] {
    var found: [File] = []
    for files in destination.exported {
      let output = shot.index(ofOutput: files.outputs[0])
      var provenance = try shot.provenance(of: frame, output: output)
      provenance.recipe = try files.recipe(of: frame, in: shot)
      found.append(
        File(
          path: files.pattern.path(frame: frame), size: shot.outputs[output].size, bits: files.bits(of: shot), provenance: provenance,
          layers: files.outputs.indices.map(files.layer)))
    }
    return found
  }

  /// Renders frames into another folder.
  ///
  /// - Returns: the paths of the files of a frame, in the order of `files(of:)`.
  package func write(_ frames: [Int], into folder: String) throws -> (Int) -> [String] {
    let patterns = destination.exported.map(\.pattern)
    let moved = patterns.enumerated().map { place, pattern in
      FramePattern(folder: "\(folder)/\(place)/", prefix: pattern.prefix, padding: pattern.padding, suffix: pattern.suffix)
    }
    let files = destination.files.map { file in
      let place = patterns.firstIndex(of: file.pattern) ?? 0
      return SequenceExport.Destination.Files(output: file.output, pattern: moved[place], numbers: file.numbers)
    }
    let export = SequenceExport(shot, to: .init(files: files, contactSheet: nil)) { _ in
    } isInterrupted: {
      false
    }
    let work = try export.begin()
    for frame in frames where !export.render(frame, work) { break }
    _ = try export.finish(work)
    return { frame in moved.map { $0.path(frame: frame) } }
  }
}
