/// One thing that one operation of a kernel is watched for.
package struct WatchSite: Sendable, Hashable {
  /// How the bits of an operand are to be read.
  package enum Scalar: Sendable, Hashable {
    case float, signed, unsigned, boolean
  }

  package let kind: FaultKind
  /// The debug lines of the instruction and of the calls around it, the innermost first.
  package let lines: [Int]
  /// The variable that is meant, with its component, as in `color.a`; nil where it has no name.
  package let variable: String?
  /// What the operands that are kept are called, and how to read them.
  package let operands: [Operand]
  /// What the watched value is read as; nil where there is none.
  package let result: Scalar?
  /// Whether the watched value was only read here, so that this is no fault.
  package var isRead = false

  package struct Operand: Sendable, Hashable {
    package let name: String
    package let scalar: Scalar
  }
}

/// The sites of a kernel, and where in its module the operations of its graph come from.
struct WatchTable {
  /// An instruction, reached by a chain of calls.
  struct Origin: Hashable {
    let instruction: Int
    /// The call that leads there, -1 outside all.
    let call: Int
  }

  struct Call: Hashable {
    let instruction: Int
    let around: Int
  }

  private(set) var origins: [Origin] = []
  private(set) var calls: [Call] = []
  private(set) var sites: [WatchSite] = []
  private var numbers: [Origin: Int] = [:]
  private var siteNumbers: [SiteKey: Int] = [:]
  private var openCall = -1

  private struct SiteKey: Hashable {
    let kind: FaultKind
    let origin: Int
    let variable: String?
    let operands: [WatchSite.Operand]
    let isRead: Bool
  }

  /// The number of the origin of what an instruction does, here.
  mutating func origin(of instruction: Int) -> Int {
    let origin = Origin(instruction: instruction, call: openCall)
    if let known = numbers[origin] { return known }
    origins.append(origin)
    numbers[origin] = origins.count - 1
    return origins.count - 1
  }

  mutating func enter(call instruction: Int) {
    calls.append(Call(instruction: instruction, around: openCall))
    openCall = calls.count - 1
  }

  mutating func leaveCall() { openCall = calls[openCall].around }

  /// The number of a site.
  ///
  /// - Parameter line: the debug line of an instruction.
  mutating func site(
    _ kind: FaultKind, origin: Int, variable: String? = nil, operands: [WatchSite.Operand], result: WatchSite.Scalar?,
    isRead: Bool = false, line: (Int) -> Int?
  ) -> Int {
    let key = SiteKey(kind: kind, origin: origin, variable: variable, operands: operands, isRead: isRead)
    if let known = siteNumbers[key] { return known }
    let lines = lines(of: origin, line: line)
    sites.append(WatchSite(kind: kind, lines: lines, variable: variable, operands: operands, result: result, isRead: isRead))
    siteNumbers[key] = sites.count - 1
    return sites.count - 1
  }

  /// The debug lines of an origin and of the calls around it, the innermost first.
  func lines(of origin: Int, line: (Int) -> Int?) -> [Int] {
    var lines: [Int] = []
    if let own = line(origins[origin].instruction) { lines.append(own) }
    var call = origins[origin].call
    while call >= 0 {
      if let around = line(calls[call].instruction) { lines.append(around) }
      call = calls[call].around
    }
    return lines
  }
}
