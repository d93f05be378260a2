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

    /// How many frames of parts were finished, each counted once.
    var frameCount: Int { Set(parts.compactMap(\.frames).flatMap { (try? FrameRangeParser.parse($0))?.frames ?? [] }).count }
  }

  /// What was written about a video: under its path, or where no machine has that path, under its name in another folder.
  package func ofVideo(_ path: String) -> OfVideo {
    let path = FarmFolder.absolute(path), folder = VideoSegments.folder(of: path)
    func find(_ isOwn: (FrameRecord) -> Bool, _ isNamed: (FrameRecord) -> Bool) -> [FrameRecord] {
      let named = all.filter { $0.frames != nil && isNamed($0) }, own = named.filter(isOwn)
      return own.isEmpty ? named : own
    }
    func folderOf(_ record: FrameRecord) -> Substring { record.path.prefix(upTo: record.path.lastIndex(of: "/") ?? record.path.startIndex) }
    return OfVideo(
      whole: find({ $0.path == path }) { Self.name(of: $0.path) == Self.name(of: path) },
      parts: find({ folderOf($0) == folder[...] }) { Self.name(of: String(folderOf($0))) == Self.name(of: folder) })
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
  fileprivate var rangeOfFrames: ClosedRange<Int>? {
    guard let numbers = frames?.split(separator: "-").map({ Int($0) }), numbers.count == 2, let first = numbers[0], let last = numbers[1],
      first <= last
    else { return nil }
    return first...last
  }
}
