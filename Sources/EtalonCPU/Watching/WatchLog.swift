package import EtalonSPIRV
package import EtalonTypes
internal import Synchronization

/// Collects the findings of watched kernels.
///
/// ```swift
/// let log = WatchLog { kernel, line in addedLines(of: kernel).contains(line) }
/// let backend = CPUBackend(.init(), watch: log)
/// ```
///
/// **Concurrency**: usable from every thread.
package final class WatchLog: Sendable {
  /// One kind of finding at one site in one pass.
  package struct Entry: Sendable {
    package let kernel: Kernel
    /// The name of the pass.
    package let pass: String
    package let site: WatchSite
    /// How often it happened in all frames.
    package var count: Int
    /// In how many pixels of all frames; nil in compute kernels.
    package var pixelCount: Int?
    /// The frames in which it happened, once the log has it.
    package var frames: Set<Int> = []
    /// The first frame in which it happened, and the first invocation in it.
    package let frame: Int
    package let place: Place
    /// The bits of the site's operands there, and of what it watches.
    package let operands: [UInt32]
    package let result: UInt32
    /// The other invocation of a race; nil for all other kinds.
    package let other: Encounter?
  }

  /// Two invocations of a workgroup that touch the same word of shared memory.
  package struct Encounter: Sendable {
    /// The word, counted from the first of all shared memory.
    package let word: Int
    /// How the entry's own invocation touches it.
    package let access: SharedAccess
    /// Where the other one did before, and how.
    package let site: WatchSite
    package let otherAccess: SharedAccess
    /// The number of the other one in the workgroup.
    package let invocation: Int
  }

  /// What is kept of every pixel of the result.
  package struct Pictures: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// How many operations it took.
    package static let operations = Pictures(rawValue: 1)
    /// Where a number first was not finite: computed from numbers that were, or read.
    package static let origins = Pictures(rawValue: 2)
  }

  /// An invocation.
  package enum Place: Sendable, Hashable {
    /// A pixel of the pass's target, from the lower left corner.
    case pixel(x: Int, y: Int, fromTop: Int)
    case invocation(workgroup: Int, index: Int)
    /// A texel of a target, from its lower left corner.
    case texel(x: Int, y: Int)
  }

  private struct Key: Hashable {
    let kernel: Kernel
    let pass: String
    let site: Int
  }

  let isAddedZero: @Sendable (Kernel, Int) -> Bool
  let isAuthored: @Sendable (Kernel, Int) -> Bool
  /// The global variable that says whether a pixel is discarded.
  let discardFlag: String
  /// Whether a comment allows what a site tells of; nil where no pixels are marked.
  let isWaived: (@Sendable (Kernel, WatchSite) -> Bool)?
  /// Whether passes whose pixels no other pass reads run only the workgroups of a quick look.
  let isQuick: Bool
  let pictures: Pictures
  private let shown = Mutex<FindingMap?>(nil)
  private let counted = Mutex<PixelNumbers?>(nil)
  private let begun = Mutex<OriginMap?>(nil)
  private let known = Mutex<(order: [Key], entries: [Key: Entry])>(([], [:]))

  /// - Parameters:
  ///   - isQuick: whether to leave out most of the pixels that no other pass reads.
  ///   - pictures: what is kept of every pixel of the result.
  ///   - isWaived: whether the pixels of a site are not to be marked; nil marks none.
  ///   - discardFlag: the global variable that says whether a pixel is discarded.
  ///   - isAuthored: whether an author wrote what a kernel does at a debug line.
  ///   - isAddedZero: whether a zero that a kernel stores at a debug line is one that no author wrote.
  package init(
    isQuick: Bool = false, pictures: Pictures = [], marksUnless isWaived: (@Sendable (Kernel, WatchSite) -> Bool)? = nil,
    discardFlag: String = "", isAuthored: @escaping @Sendable (Kernel, Int) -> Bool = { _, _ in true },
    isAddedZero: @escaping @Sendable (Kernel, Int) -> Bool
  ) {
    self.isQuick = isQuick
    self.pictures = pictures
    self.isWaived = isWaived
    self.isAddedZero = isAddedZero
    self.isAuthored = isAuthored
    self.discardFlag = discardFlag
  }

  /// Where findings happened in the picture of the result that was rendered last; nil where none was marked.
  package var map: FindingMap? { shown.withLock(\.self) }

  /// How many operations each pixel of the result took that was rendered last.
  package var operations: PixelNumbers? { counted.withLock(\.self) }
  /// Where the first numbers that are not finite come from in the result that was rendered last.
  package var origins: OriginMap? { begun.withLock(\.self) }

  func show(operations: PixelNumbers) { counted.withLock { $0 = operations } }
  func show(origins: OriginMap) { begun.withLock { $0 = origins } }
  func show(_ map: FindingMap) { shown.withLock { $0 = map } }

  /// What happened so far, in the order in which it was seen first.
  package var entries: [Entry] { known.withLock { known in known.order.compactMap { known.entries[$0] } } }

  func add(_ entry: Entry, site: Int) {
    let key = Key(kernel: entry.kernel, pass: entry.pass, site: site)
    known.withLock { known in
      guard known.entries[key] == nil else {
        known.entries[key]?.count += entry.count
        known.entries[key]?.pixelCount? += entry.pixelCount ?? 0
        known.entries[key]?.frames.insert(entry.frame)
        return
      }
      known.order.append(key)
      known.entries[key] = entry
      known.entries[key]?.frames = [entry.frame]
    }
  }
}

// MARK: - Pictures

/// Which kinds of findings happened in which pixels of a picture.
package struct FindingMap: Sendable {
  /// The name of the pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  /// For each pixel the marks of its kinds, the top row first.
  private let marks: [UInt64]

  init(pass: String, frame: Int, size: Size, marks: [UInt64]) {
    self.pass = pass
    self.frame = frame
    self.size = size
    self.marks = marks
  }

  /// Whether a finding of a kind happened in a pixel, counted from the left of the top row.
  package func has(_ kind: FindingKind, at pixel: Int) -> Bool { marks[pixel] & kind.mark != 0 }

  /// In how many pixels each kind happened; kinds that did not happen are not in it.
  package var pixelCounts: [FindingKind: Int] {
    var counts: [FindingKind: Int] = [:]
    for kind in FindingKind.allCases {
      let count = marks.count { $0 & kind.mark != 0 }
      if count > 0 { counts[kind] = count }
    }
    return counts
  }
}

extension FindingKind {
  /// The bit that stands for it.
  var mark: UInt64 { Self.allCases.firstIndex(of: self).map { 1 << UInt64($0) } ?? 0 }
}

/// A number for each pixel of a picture.
package struct PixelNumbers: Sendable {
  /// The name of the pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  /// The top row first.
  package let numbers: [UInt32]
}

/// Where in each pixel a number first was not finite: computed from numbers that were, or read.
package struct OriginMap: Sendable {
  package let kernel: Kernel
  package let sites: [WatchSite]
  /// For each pixel 1 + the number of the site; 0 where everything that was computed or read is finite.
  package let pixels: PixelNumbers
}
