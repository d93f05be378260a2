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
      // A folder, or a link that leads to nothing.
      guard FileKind(path: "\(folder)/\(name)") == .regular else {
        broken += 1
        continue
      }
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

  /// The records of a video and of its parts.
  package struct OfVideo: Sendable, Hashable {
    let whole: [FrameRecord]
    let parts: [FrameRecord]

    /// Those of the parts that have some of these frames; where there are none, of the whole.
    func records(of frames: ClosedRange<Int>) -> [FrameRecord] {
      let own = parts.filter { record in record.rangeOfFrames.map(frames.overlaps) ?? false }
      return own.isEmpty ? whole.filter { record in record.rangeOfFrames.map(frames.overlaps) ?? false } : own
    }

    /// Which of some frames parts were finished with.
    func finished(of frames: [Int]) -> [Int] {
      let ranges = parts.compactMap(\.rangeOfFrames)
      return frames.filter { frame in ranges.contains { $0.contains(frame) } }
    }
  }

  /// What was written about a video: under its path, or where no machine has that path, under its name in another folder.
  package func ofVideo(_ path: String) -> OfVideo {
    let path = FarmFolder.absolute(path), folder = VideoSegments.folder(of: path)
    let ofVideos = all.filter { $0.frames != nil }
    func find(_ isWhole: (FrameRecord) -> Bool, _ isPart: (Substring) -> Bool) -> OfVideo {
      OfVideo(
        whole: ofVideos.filter(isWhole),
        parts: ofVideos.filter { isPart($0.path.prefix(upTo: $0.path.lastIndex(of: "/") ?? $0.path.startIndex)) })
    }
    let own = find({ $0.path == path }) { $0 == folder }
    guard own.whole.isEmpty, own.parts.isEmpty else { return own }
    return find({ Self.name(of: $0.path) == Self.name(of: path) }) { Self.name(of: String($0)) == Self.name(of: folder) }
  }

  /// Whether there are records of a video, and all of them name the CPU executor.
  package func isOfCPU(video path: String) -> Bool {
    let own = ofVideo(path)
    return !(own.whole + own.parts).isEmpty && (own.whole + own.parts).allSatisfy(\.isOfCPU)
  }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

extension FrameRecord {
  /// The frames of a part, such as `24-47`.
  var rangeOfFrames: ClosedRange<Int>? { frames.flatMap { (try? FrameRangeParser.parse($0))?.bounds } }
}
