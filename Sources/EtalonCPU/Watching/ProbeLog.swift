package import EtalonSPIRV
internal import Synchronization

/// Collects what one pixel assigns to the variables of a kernel.
///
/// ```swift
/// let log = ProbeLog(x: 80, y: 45) { kernel, line in isAuthored(kernel, line) }
/// let backend = CPUBackend(.init(), probe: log)
/// ```
///
/// **Concurrency**: usable from every thread.
package final class ProbeLog: Sendable {
  /// One assignment.
  package struct Assignment: Sendable {
    package let site: ProbeSite
    /// The number of the site among those of its kernel.
    package let number: Int
    /// What was assigned to: an index into the site's names.
    package let place: Int
    /// The bits of what was assigned.
    package let words: [UInt32]

    /// The variable, or the part of it.
    package var name: String { site.names[min(place, site.names.count - 1)] }
  }

  /// What a pixel did in one run of a pass.
  package struct Trace: Sendable {
    package let kernel: Kernel
    package let frame: Int
    /// In the order in which they were made.
    package let assignments: [Assignment]
    /// How many there were; those beyond the limit are not told.
    package let count: Int
  }

  /// The most assignments that are kept.
  package static let limit = 1 << 20

  /// The name of the pass; nil for the one that renders the result.
  let pass: String?
  /// The pixel, from the lower left corner.
  let x: Int
  let y: Int
  let isAuthored: @Sendable (Kernel, Int) -> Bool
  private let known = Mutex<Trace?>(nil)

  /// - Parameters:
  ///   - pass: the name of a pass; nil for the one that renders the result.
  ///   - isAuthored: whether a person wrote what a kernel does at a debug line.
  package init(pass: String? = nil, x: Int, y: Int, isAuthored: @escaping @Sendable (Kernel, Int) -> Bool) {
    self.pass = pass
    self.x = x
    self.y = y
    self.isAuthored = isAuthored
  }

  /// What the pixel did when its pass ran last; nil where it did not run.
  package var trace: Trace? { known.withLock(\.self) }

  func set(_ trace: Trace) { known.withLock { $0 = trace } }
}

/// A place in a kernel where a variable, or a part of one, is assigned.
package struct ProbeSite: Sendable, Hashable {
  /// The debug line.
  package let line: Int
  /// What may be assigned there: `color`, `hit.normal`, or all elements of an array.
  package let names: [String]
  /// How to read the numbers that are assigned.
  package let scalar: WatchSite.Scalar
  /// How many numbers that are.
  package let count: Int
}
