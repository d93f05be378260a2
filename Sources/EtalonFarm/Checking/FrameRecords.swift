package import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// The records of all machines.
///
/// **Concurrency**: an immutable value.
package struct FrameRecords: Sendable, Hashable {
  private static let mostBytes = 1 << 28

  /// In the order of their files' names, and of their lines.
  package let all: [FrameRecord]
  /// How many lines could not be read: a machine that ended in the middle of one leaves half of it.
  package let brokenLines: Int
  /// The records of the frames in files of a name, whatever the folder is called on the machine that wrote them.
  private let byName: [String: [FrameRecord]]

  package init(_ records: [FrameRecord], brokenLines: Int = 0) {
    all = records
    self.brokenLines = brokenLines
    byName = Dictionary(grouping: records.filter { $0.frame != nil }) { Self.name(of: $0.path) }
  }

  /// Reads the files `*.jsonl` of a folder; none where it does not exist.
  package init(folder: String) throws(RenderError) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(FrameRecordWriter.ending) }
      .sorted()
    var records: [FrameRecord] = [], broken = 0
    for name in names {
      let bytes = try FileReader.bytes(of: "\(folder)/\(name)", limit: Self.mostBytes)
      for line in bytes.split(separator: 0x0A) {
        if let record = try? JSONDecoder().decode(FrameRecord.self, from: Data(line)) { records.append(record) } else { broken += 1 }
      }
    }
    self.init(records, brokenLines: broken)
  }

  /// What was written about the file of a frame: under its path, or where no machine has that path, under its name in another folder.
  package func records(of path: String, frame: Int) -> [FrameRecord] {
    let named = (byName[Self.name(of: path)] ?? []).filter { $0.frame == frame }
    let absolute = FarmFolder.absolute(path), exact = named.filter { $0.path == absolute }
    return exact.isEmpty ? named : exact
  }

  /// What was written about a part of a video, whatever the folder is called on the machine that wrote it.
  ///
  /// - Parameter frames: its first and its last frame, as records name them.
  package func parts(ofVideo path: String, frames: String) -> [FrameRecord] {
    let folder = Self.name(of: VideoSegments.folder(of: path))
    return all.filter { $0.frames == frames && $0.path.split(separator: "/").dropLast().last.map(String.init) == folder }
  }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// How many frames of parts of videos were finished, each counted once.
  package var framesOfParts: Int {
    Set(all.compactMap(\.frames).flatMap { (try? FrameRangeParser.parse($0))?.frames ?? [] }).count
  }
}
