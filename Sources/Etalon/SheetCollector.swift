import EtalonMedia
import EtalonTypes
import Synchronization

/// Keeps small copies of some frames of an export, evenly spread, for a contact sheet.
///
/// **Concurrency**: usable from every thread.
final class SheetCollector: Sendable {
  /// The most pictures of a sheet.
  private static let mostPictures = 24
  /// What the pictures of a sheet are made to fit into.
  static let thumbnailSize = Size(320, 1280)

  /// The frames that the sheet will show.
  let frames: [Int]
  private let thumbnails = Mutex<[Int: PixelBuffer]>([:])

  init(frames all: [Int]) {
    let count = min(all.count, Self.mostPictures)
    frames = (0..<count).map { count == 1 ? all[0] : all[$0 * (all.count - 1) / (count - 1)] }
  }

  /// Keeps a small copy of a frame if the sheet shows it.
  func add(_ frame: Int, _ rows: some RowSource) {
    guard frames.contains(frame) else { return }
    let small = Thumbnail.scale(PixelBuffer(copying: rows), toFit: Self.thumbnailSize)
    thumbnails.withLock { $0[frame] = small }
  }

  /// The sheet with all frames that were added; nil when there are none.
  func compose() -> PixelBuffer? {
    let entries = thumbnails.withLock { thumbnails in
      frames.compactMap { frame in thumbnails[frame].map { ContactSheet.Entry($0, label: "\(frame)") } }
    }
    return entries.isEmpty ? nil : ContactSheet().compose(entries)
  }
}
