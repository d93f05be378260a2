/// One thing that one operation of a kernel is watched for.
package struct WatchSite: Sendable, Hashable {
  /// How the bits of an operand are to be read.
  package enum Scalar: Sendable, Hashable {
    case float, signed, unsigned, boolean
  }

  package let kind: FindingKind
  /// The debug lines of the instruction and of the calls around it, the innermost first.
  package let lines: [Int]
  /// The variable that is meant, with its component, as in `color.a`; nil where it has no name.
  package let variable: String?
  /// What the operands that are kept are called, and how to read them.
  package let operands: [Operand]
  /// What the watched value is read as; nil where there is none.
  package let result: Scalar?
  /// Whether the watched value was only read here, so that this is no finding.
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
    let kind: FindingKind
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
    _ kind: FindingKind, origin: Int, variable: String? = nil, operands: [WatchSite.Operand], result: WatchSite.Scalar?,
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

// MARK: - Kinds of findings

/// What a shader may do that has no defined result, or whose result other devices need not repeat.
package enum FindingKind: String, Sendable, Hashable, CaseIterable {
  /// Two `out` or `inout` arguments of one call are one variable, and get different values.
  case copyOutOrder = "copy-out-order"
  /// A variable is read that was never written.
  case uninitialized = "uninitialized-read"
  /// A function ends without a `return` and its result is used.
  case missingReturn = "missing-return"
  /// A pixel does not write the result.
  case unwrittenResult = "unwritten-result"
  /// An array, vector, matrix or buffer is indexed beyond its ends.
  case index = "index-range"
  /// A texel is fetched beyond the edges of its texture.
  case texel = "texel-range"
  /// A level that a texture does not have.
  case level = "level-range"
  case divisionByZero = "division-by-zero"
  /// `/` or `%` of integers by zero.
  case integerDivisionByZero = "integer-division-by-zero"
  /// The smallest integer divided by -1.
  case divisionOverflow = "division-overflow"
  /// `%` of a negative number, or by one.
  case negativeRemainder = "negative-remainder"
  /// `mod` by zero.
  case moduloByZero = "mod-by-zero"
  /// `pow` of a negative number, or of zero with an exponent that is not positive.
  case power = "pow-domain"
  case squareRoot = "sqrt-domain"
  /// `inversesqrt` of zero or of a negative number.
  case inverseSquareRoot = "inversesqrt-domain"
  case logarithm = "log-domain"
  case arc = "asin-acos-domain"
  /// `acosh` below 1, `atanh` from -1 down and from 1 up.
  case hyperbolicArc = "acosh-atanh-domain"
  /// `atan(0, 0)`.
  case angleOfZero = "atan-of-zero"
  /// `normalize` of a vector of length zero.
  case normalizeOfZero = "normalize-of-zero"
  /// `smoothstep` whose edges are equal.
  case smoothstepEdges = "smoothstep-edges"
  /// `smoothstep` whose first edge is above its second.
  case reversedSmoothstep = "smoothstep-reversed"
  /// `clamp` whose minimum is above its maximum.
  case clampLimits = "clamp-limits"
  /// A shift by a negative number, or by all bits and more.
  case shift = "shift-range"
  /// A field of bits that the word does not have.
  case bitfield = "bitfield-range"
  /// `ldexp` with an exponent above 128, or a product that no float can hold.
  case exponent = "ldexp-range"
  /// `inverse` of a matrix without one.
  case singularInverse = "singular-inverse"
  /// A float that the integer type cannot hold.
  case conversion = "conversion-range"
  /// A read of a texture farther from the pixel than the filter says.
  case reach = "beyond-reach"
  /// A loop that takes a good part of all the rounds that a workgroup may take.
  case endlessLoop = "endless-loop"
  /// NaN or infinity out of finite operands.
  case notFinite = "not-finite"
  /// `fract(sin(x) * 43758.5453)`: noise out of the error of a sine.
  case sineHash = "sine-hash"
  /// A sine, cosine or tangent of a number so large that devices need not agree on any digit.
  case largeSine = "sine-range"
  /// A derivative, or a read with an implicit level, where not all four pixels of a quad go.
  case divergentQuad = "divergent-derivative"
  /// Two invocations touch the same shared memory with no barrier between, one of them to write it.
  case sharedRace = "shared-race"
  /// Shared memory is read that no invocation of the workgroup wrote to.
  case uninitializedShared = "uninitialized-shared"
  /// A barrier that not all invocations of a workgroup get to.
  case divergentBarrier = "divergent-barrier"
  /// A compute kernel stores the same texel twice.
  case storedTwice = "stored-twice"
  /// A compute kernel leaves out texels of its target.
  case neverStored = "never-stored"
}
