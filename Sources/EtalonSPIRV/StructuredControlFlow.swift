package import EtalonDiagnostics

/// The control flow of one function as nested regions, which can be executed without jumps.
///
/// A region is a list of statements. What happens at its end depends on its owner: the arm of a selection goes on after the selection, a
/// loop's body goes on with its `continuing` region and that with the body again, a case goes on after the switch or falls through, and the
/// root is only left through an exit. Code that cannot be reached is left out.
///
/// ```
/// for (i = 0; i < n; i++) y;        loop
///                                     block %10
///                                     if %14
///                                     else
///                                       leave loop
///                                     block %11
///                                   continuing
///                                     block %13
/// ```
///
/// Regions are kept in one array and refer to each other by position, so that walking and destroying them needs no deep stack. Nesting is
/// limited to `maximumDepth`.
///
/// **Concurrency**: an immutable value.
package struct StructuredControlFlow: Sendable {
  /// The position of a region in `regions`.
  package struct RegionId: Sendable, Hashable {
    package let index: Int
  }

  /// Statements in order.
  package typealias Region = [Statement]

  package enum Statement: Sendable {
    /// The body of a block (`Block.body`): neither `OpPhi`s nor merge instruction nor terminator. The position is one of `Function.blocks`.
    case block(Int)
    /// Control passes from one block to another that starts with `OpPhi`s: assign all of them at once with the values for `from`.
    ///
    /// Edges to blocks without `OpPhi`s are not listed.
    case edge(from: Int, to: Int)
    case selection(Selection)
    case loop(Loop)
    case switching(Switch)
    /// The last statement of its region.
    case exit(Exit)
  }

  /// `if (condition) accept else reject`.
  package struct Selection: Sendable {
    package let condition: Id
    /// The block that ends in the branch, for messages.
    package let block: Int
    package let accept: RegionId
    package let reject: RegionId
  }

  /// `do { body; continuing } forever`: left only through `Exit.leaveLoop` or by leaving the function.
  package struct Loop: Sendable {
    /// The block with the merge instruction; the first of the body.
    package let header: Int
    package let body: RegionId
    /// Runs after the body and after each `Exit.continueLoop`, before the next round; empty if control does not get there.
    package let continuing: RegionId
  }

  /// Runs the case whose literals hold the selector, else the one that is the default.
  package struct Switch: Sendable {
    package let selector: Id
    /// The block that ends in the branch, for messages.
    package let block: Int
    /// In an order in which falling through means going on with the next one.
    package let cases: [Case]
  }

  package struct Case: Sendable {
    /// The selectors, as bits of the selector's width, zero-extended.
    package let literals: [UInt64]
    package let isDefault: Bool
    package let body: RegionId
    /// Whether the end of the body goes on with the next case, instead of after the switch.
    package let fallsThrough: Bool
  }

  package enum Exit: Sendable, Hashable {
    /// Goes on after the innermost loop.
    case leaveLoop
    /// Goes on with `continuing` of the innermost loop.
    case continueLoop
    /// Goes on after the innermost switch; there is no loop between.
    case leaveSwitch
    case `return`
    case returnValue(Id)
    /// `OpKill` and `OpTerminateInvocation`: the invocation is over.
    case kill
    /// `OpUnreachable`: the module states that control does not get here.
    case unreachable
  }

  /// The deepest nesting of constructs that is accepted, as in the specification's universal limits.
  package static let maximumDepth = 1023

  /// All regions; `root` is one of them.
  package let regions: [Region]
  /// What the function does.
  package let root: RegionId

  package subscript(region: RegionId) -> Region { regions[region.index] }

  /// Finds the structure of a function by its merge instructions.
  ///
  /// Throws when blocks branch in a way that the merge instructions do not allow, or nest deeper than `maximumDepth`.
  package init(_ function: Function, in module: SPIRVModule) throws(DiagnosticsError) {
    var builder = ControlFlowBuilder(function, in: module)
    try builder.build()
    regions = builder.regions
    root = RegionId(index: 0)
  }
}
