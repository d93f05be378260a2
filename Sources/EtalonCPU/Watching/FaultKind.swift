/// What a shader may do that has no defined result, or that no other device need repeat.
package enum FaultKind: String, Sendable, Hashable, CaseIterable {
  /// A variable is read that nothing was written to.
  case uninitialized = "uninitialized-read"
  /// A function gives a result without having come to a `return`.
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
  /// A barrier that not all invocations of a workgroup get to.
  case divergentBarrier = "divergent-barrier"
  /// A compute kernel stores the same texel twice.
  case storedTwice = "stored-twice"
  /// A compute kernel leaves out texels of its target.
  case neverStored = "never-stored"
}
