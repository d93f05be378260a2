package import EtalonSPIRV
internal import Synchronization

/// Collects what watched kernels do that they should not.
///
/// ```swift
/// let log = WatchLog { kernel, line in addedLines(of: kernel).contains(line) }
/// let backend = CPUBackend(.init(), watch: log)
/// ```
///
/// **Concurrency**: usable from every thread.
package final class WatchLog: Sendable {
  /// Something that happened at one site in one pass.
  package struct Fault: Sendable {
    package let kernel: Kernel
    /// The name of the pass.
    package let pass: String
    package let site: WatchSite
    /// How often it happened in all frames.
    package var count: Int
    /// The first frame in which it happened, and the first invocation in it.
    package let frame: Int
    package let place: Place
    /// The bits of the site's operands there, and of what it watches.
    package let operands: [UInt32]
    package let result: UInt32
  }

  /// An invocation.
  package enum Place: Sendable, Hashable {
    /// A pixel of the pass's target, from the lower left corner.
    case pixel(x: Int, y: Int, fromTop: Int)
    case invocation(workgroup: Int, index: Int)
  }

  private struct Key: Hashable {
    let kernel: Kernel
    let pass: String
    let site: Int
  }

  let isAddedZero: @Sendable (Kernel, Int) -> Bool
  /// Whether a comment allows what a site tells of; nil where no pixels are marked.
  let isWaived: (@Sendable (Kernel, WatchSite) -> Bool)?
  /// Whether passes whose pixels nobody reads again run only where most is to be expected.
  let isQuick: Bool
  private let shown = Mutex<FaultMap?>(nil)
  private let known = Mutex<(order: [Key], faults: [Key: Fault])>(([], [:]))

  /// - Parameters:
  ///   - isQuick: whether to leave out most of the pixels that no other pass reads.
  ///   - isWaived: whether the pixels of a site are not to be marked; nil marks none.
  ///   - isAddedZero: whether a zero that a kernel stores at a debug line is one that no author wrote.
  package init(
    isQuick: Bool = false, marksUnless isWaived: (@Sendable (Kernel, WatchSite) -> Bool)? = nil,
    isAddedZero: @escaping @Sendable (Kernel, Int) -> Bool
  ) {
    self.isQuick = isQuick
    self.isWaived = isWaived
    self.isAddedZero = isAddedZero
  }

  /// Where faults happened in the picture of the result that was rendered last; nil where none was marked.
  package var map: FaultMap? { shown.withLock(\.self) }

  func show(_ map: FaultMap) { shown.withLock { $0 = map } }

  /// What happened so far, in the order in which it was seen first.
  package var faults: [Fault] { known.withLock { known in known.order.compactMap { known.faults[$0] } } }

  func add(_ fault: Fault, site: Int) {
    let key = Key(kernel: fault.kernel, pass: fault.pass, site: site)
    known.withLock { known in
      guard known.faults[key] == nil else {
        known.faults[key]?.count += fault.count
        return
      }
      known.order.append(key)
      known.faults[key] = fault
    }
  }
}
