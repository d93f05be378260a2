/// One step of an evaluation: an operation on single words of an invocation.
///
/// `to` is the word that it writes, or where a jump leads; `x` and `y` are words that it reads.
struct Step {
  enum Operation: UInt8 {
    /// `to` becomes the constant `x`.
    case constant
    case move
    /// `to` becomes the word that lies as far behind `x` as the word `y` says.
    case load
    /// The word that lies as far behind `to` as the word `y` says becomes `x`.
    case store
    case jump, jumpIfZero, jumpIfNotZero
    // Integers
    case add, subtract, multiply, divideSigned, divideUnsigned, remainderSigned, remainderUnsigned, and, or, xor, shiftLeft
    case shiftRightSigned, shiftRightUnsigned, lessSigned, lessUnsigned, equal, minSigned, maxSigned, minUnsigned, maxUnsigned
    case signSigned, bitCount, findLSB, findMSBSigned, findMSBUnsigned, reverse
    case isNotZero, not
    /// The scaled index: the word `x` modulo the low half of `y`, times the high half of `y`.
    case index
    /// Stops unless `x` is at most `y`: the limits of a `clamp`.
    case orderedSigned, orderedUnsigned, orderedFloat
    // Floats
    case addFloat, subtractFloat, multiplyFloat, lessFloat, equalFloat, minFloat, maxFloat, floorFloat, absFloat, signFloat
    case floatFromSigned, floatFromUnsigned, signedFromFloat, unsignedFromFloat
    /// The four words of the pixel of the texture at `x` and `y`.
    case texel
    // Where invocations wait for each other
    case barrier, quadSwap, subgroup
    case loadShared, storeShared, gather
  }

  let operation: Operation
  let to: Int32
  let x: Int32
  let y: Int32
}

/// The steps that all invocations of a program run, each over words of its own.
struct StepCode {
  /// A loop around steps at which invocations wait for each other.
  struct Round {
    /// The first step of the loop, and the word that counts how often it began anew.
    let start: Int
    let counter: Int
  }

  var steps: [Step] = []
  /// What the words of an invocation are at first.
  var start: [UInt32] = []
  /// The loops around each step at which invocations wait.
  var rounds: [Int: [Round]] = [:]
  /// The words with the two arguments of the entry, and that of its result.
  var arguments = (x: 0, y: 0)
  var result = 0
  /// The first word of the place in the workgroup of an invocation.
  var place = 0
}
