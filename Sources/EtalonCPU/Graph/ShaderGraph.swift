/// The number of a node in a graph.
struct ValueId: Hashable, Sendable {
  let index: Int32

  init(_ index: Int) { self.index = Int32(index) }
  init(raw: Int32) { index = raw }

  var position: Int { Int(index) }
}

/// A shader as scalar operations in nested regions: every call inlined, every vector taken apart, every local variable a value.
///
/// ```
/// %12 = flt %9 %3
/// branch %12
///   %13 = fmul %9 %9
/// else
///   %14 = sqrt %9
/// %15 = variable        (%13 after the first arm, %14 after the second)
/// ```
///
/// Lanes are only masked when the graph is emitted; here control flow is as the author wrote it.
struct ShaderGraph: Sendable {
  /// One value and how it comes about.
  struct Node: Sendable {
    let operation: Operation
    /// The values it is computed from; -1 beyond the last.
    var arguments: SIMD8<Int32>
    /// Constants of the operation: a number, an offset, a kind.
    let immediate: UInt32
    let second: UInt32
    /// Whether it keeps its place among others that read and write.
    var isOrdered = false
  }

  enum Item: Sendable {
    case operation(ValueId)
    case branch(Int)
    case scope(Int)
    /// The last item of its region.
    case exit(Int)
  }

  struct Assignment: Sendable {
    let variable: ValueId
    var value: ValueId
  }

  /// `if (condition) accept else reject`.
  struct Branch: Sendable {
    var condition: ValueId
    let accept: Int
    let reject: Int
    /// What each variable is after either arm.
    var merges: [Merge] = []
    /// Whether control can reach the end of the arms.
    var acceptFallsThrough = true
    var rejectFallsThrough = true
  }

  struct Merge: Sendable {
    let variable: ValueId
    var accepted: ValueId
    var rejected: ValueId
  }

  /// A region that can be left from within: the body of a loop, an inlined function, a switch.
  struct Scope: Sendable {
    struct Carried: Sendable {
      let variable: ValueId
      var initial: ValueId
      var next: ValueId
      /// The variable that continues it after the loop.
      var after: ValueId?
    }
    let isLoop: Bool
    let body: Int
    /// What runs between the rounds of a loop, nil where nothing goes there by an exit: then it is the end of the body.
    var continuing: Int?
    /// The variables that a round hands to the next.
    var carried: [Carried] = []
    /// What the variables of the continuing region are when control reaches the end of the body.
    var bodyEnd: [Assignment] = []
    /// What the variables after a scope that is no loop are when control reaches the end of the body.
    var end: [Assignment] = []
    var bodyFallsThrough = true
    var continuingFallsThrough = true
  }

  /// A jump to the end of a scope, or to its continuing region.
  struct Exit: Sendable {
    let scope: Int
    let isContinue: Bool
    var assignments: [Assignment]
  }

  var nodes: [Node] = []
  /// For each node the number of its origin, -1 for none; empty unless the graph is watched.
  var origins: [Int32] = []
  var regions: [[Item]] = [[]]
  var branches: [Branch] = []
  var scopes: [Scope] = []
  var exits: [Exit] = []

  subscript(value: ValueId) -> Node { nodes[value.position] }

  /// The word of a constant, nil for any other value.
  func constantWord(_ value: ValueId) -> UInt32? {
    let node = self[value]
    return node.operation == .constant ? node.immediate : nil
  }

  /// Where control ends up when nothing leaves early.
  static let root = 0
  /// The argument of a watch that names the value without which it is of no interest.
  static let watchedPosition = 7
}

extension ShaderGraph.Node {
  /// The arguments that there are.
  var argumentIds: [ValueId] {
    var ids: [ValueId] = []
    for k in 0..<8 where arguments[k] >= 0 { ids.append(ValueId(raw: arguments[k])) }
    return ids
  }

  func argument(_ position: Int) -> ValueId { ValueId(raw: arguments[position]) }
}
