/// What a shader may do that has no defined result, or that no other device need repeat.
package enum FaultKind: String, Sendable, Hashable, CaseIterable {
  /// A variable is read that nothing was written to.
  case uninitialized = "uninitialized-read"
  /// An array, vector, matrix or buffer is indexed beyond its ends.
  case index = "index-range"
  /// A texel is fetched beyond the edges of its texture.
  case texel = "texel-range"
  case divisionByZero = "division-by-zero"
  /// `/` or `%` of integers by zero.
  case integerDivisionByZero = "integer-division-by-zero"
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
  /// `atan(0, 0)`.
  case angleOfZero = "atan-of-zero"
  /// `normalize` of a vector of length zero.
  case normalizeOfZero = "normalize-of-zero"
  /// `smoothstep` whose first edge is not below its second.
  case smoothstepEdges = "smoothstep-edges"
  /// `clamp` whose minimum is above its maximum.
  case clampLimits = "clamp-limits"
  /// A shift by a negative number, or by all bits and more.
  case shift = "shift-range"
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
  /// A derivative, or a read with an implicit level, where not all four pixels of a quad go.
  case divergentQuad = "divergent-derivative"
  /// Two invocations touch the same shared memory with no barrier between, one of them to write it.
  case sharedRace = "shared-race"
  /// A barrier that not all invocations of a workgroup get to.
  case divergentBarrier = "divergent-barrier"
  /// A compute kernel stores the same texel twice.
  case storedTwice = "stored-twice"
  /// A compute kernel leaves out texels of its target.
  case neverStored = "never-stored"
}
