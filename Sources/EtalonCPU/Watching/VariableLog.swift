package import EtalonSPIRV
package import EtalonTypes
internal import Synchronization

/// Collects what every pixel of a pass assigned last to one variable.
///
/// **Concurrency**: usable from every thread.
package final class VariableLog: Sendable {
  /// The variable over the picture.
  package struct Picture: Sendable {
    package let frame: Int
    package let size: Size
    /// How many of the four numbers of each pixel mean something.
    package let componentCount: Int
    package let scalar: WatchSite.Scalar
    /// Four numbers for each pixel, the top row first.
    package let words: [UInt32]
    /// For each pixel whether it got to a line that assigns the variable.
    package let isAssigned: [Bool]
  }

  /// What the author calls the variable: `color`, `hit.normal`.
  let variable: String
  /// The name of the pass; nil for the one that renders the result.
  let pass: String?
  /// Whether a person wrote what a kernel does at a debug line, and asks for it.
  let isAuthored: @Sendable (Kernel, Int) -> Bool
  private let shown = Mutex<Picture?>(nil)
  private let known = Mutex<Set<String>>([])

  package init(_ variable: String, pass: String? = nil, isAuthored: @escaping @Sendable (Kernel, Int) -> Bool) {
    self.variable = variable
    self.pass = pass
    self.isAuthored = isAuthored
  }

  /// What was assigned in the frame that was rendered last; nil where nothing assigns the variable.
  package var picture: Picture? { shown.withLock(\.self) }
  /// The variables that the pass assigns.
  package var names: [String] { known.withLock { $0.sorted() } }

  func show(_ picture: Picture) { shown.withLock { $0 = picture } }
  func add(names: some Sequence<String>) { known.withLock { $0.formUnion(names) } }
}
