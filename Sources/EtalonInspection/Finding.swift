internal import EtalonCPU
package import EtalonDiagnostics
internal import EtalonManifest

/// Something that a shader did at one place of its text.
///
/// **Concurrency**: an immutable value.
package struct Finding: Sendable {
  /// `sanitize.` and the kind.
  package let id: String
  package let severity: FindingSeverity
  package let message: String
  /// The place in the author's text; nil where there is none, as when the result is never written.
  package let place: SourceRange?
  /// The author's calls that lead there, the innermost first.
  package let calls: [SourceRange]
  /// The other place of a race, and what happens there; nil for all other findings.
  package let other: (place: SourceRange, text: String)?
  /// How often it happened in all frames that were watched.
  package let count: Int
  /// In how many pixels of all frames that was, where it happened more often than there are such; a lower bound unless `isPixelCountExact`.
  package let pixelCount: Int?
  package let isPixelCountExact: Bool
  /// In how many frames.
  package let frameCount: Int
  /// Where it happened first: `pixel (3, 5) of frame 0 in pass 'image'`.
  package let first: String
  package let frame: Int
  /// The name of the pass where it happened first.
  package let pass: String
  /// From the lower left corner; nil in compute kernels.
  package let pixel: [Int]?
  /// The operands there, by their names.
  package let operands: [(name: String, value: String)]
  package let rule: String
  package let help: [String]

  /// As it is printed.
  package var diagnostic: Diagnostic {
    var times = count == 1 ? "once" : "\(count) times"
    if let pixelCount { times += " in \(isPixelCountExact ? "" : "at least ")\(pixelCount) pixel\(pixelCount == 1 ? "" : "s")" }
    if frameCount > 1 { times += " \(pixelCount == nil ? "in" : "of") \(frameCount) frames" }
    var labels = place.map { [$0.label(times)] } ?? []
    if let other { labels.append(other.place.label(other.text)) }
    labels += calls.prefix(3).map { $0.label("called here") }
    return Diagnostic(
      id, message, severity: .warning, labels: labels, help: help, notes: ["\(place == nil ? times + "; " : "")first at \(first)", rule])
  }
}

extension Finding {
  /// What the log has of one kind on one line.
  struct Evidence {
    private(set) var count = 0
    /// The pixels of the place that has most of them, and whether it is the only one.
    private(set) var pixelCount: Int?
    private(set) var isOnePlace = true
    private(set) var frames: Set<Int> = []
    /// The variables that were not written, each once.
    private(set) var variables: [String] = []
    let first: WatchLog.Entry
    /// The author's places of the first and of the calls around it, the innermost first.
    let places: [SourceRange]
    /// The author's place of the other side of a race.
    let otherPlace: SourceRange?

    init(_ first: WatchLog.Entry, at places: [SourceRange], other: SourceRange? = nil) {
      self.first = first
      self.places = places
      otherPlace = other
    }

    mutating func add(_ entry: WatchLog.Entry) {
      isOnePlace = count == 0
      count += entry.count
      frames.formUnion(entry.frames)
      pixelCount = entry.pixelCount.map { max(pixelCount ?? 0, $0) }
      if let variable = entry.site.variable, !variables.contains(variable) { variables.append(variable) }
    }
  }

  init(_ evidence: Evidence) {
    let entry = evidence.first
    let words = FindingWords(entry.site.kind, at: entry.operands)
    id = entry.site.kind.findingId
    severity = words.severity
    place = evidence.places.first
    calls = Array(evidence.places.dropFirst())
    // A result may be read several times.
    count = entry.site.kind == .unwrittenResult ? evidence.pixelCount ?? evidence.count : evidence.count
    pixelCount = evidence.pixelCount.flatMap { [count] in $0 < count ? $0 : nil }
    isPixelCountExact = evidence.isOnePlace
    frameCount = evidence.frames.count
    frame = entry.frame
    pass = entry.pass
    rule = words.rule
    help = words.help
    operands = zip(entry.site.operands, entry.operands).map { ($0.name, $0.scalar.text(of: $1)) }
    var title = entry.site.kind == .uninitialized ? Self.title(ofUnwritten: evidence.variables, words) : words.title
    if entry.site.kind == .missingReturn, let name = entry.site.variable { title = "'\(name)' \(words.title)" }
    if entry.site.kind == .copyOutOrder, let name = entry.site.variable { title = "'\(name)' \(words.title)" }
    if entry.site.kind == .unwrittenResult { title = Self.title(ofUnwrittenParts: evidence.variables, words) }
    if entry.site.kind == .notFinite { title = "\(Float(bitPattern: entry.result).isNaN ? "NaN" : "infinity") out of finite numbers" }
    if entry.site.kind == .sharedRace, let other = entry.other { title = Self.title(ofRace: other, entry) }
    if entry.site.kind == .uninitializedShared { title = "\(entry.site.variable.map { "'\($0)'" } ?? "shared memory") \(words.title)" }
    if entry.site.kind == .divergentBarrier, let missing = entry.operands.first { title += ", as invocation \(missing) does not" }
    other = entry.other.flatMap { race in evidence.otherPlace.map { ($0, "\(race.otherAccess.text) by invocation \(race.invocation)") } }
    let values = operands.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    message = values.isEmpty ? title : "\(title): \(values)"
    switch entry.place {
    case .pixel(let x, let y, let fromTop):
      pixel = [x, y]
      first = "pixel (\(x), \(y)), row \(fromTop) from the top, of frame \(entry.frame) in pass '\(entry.pass)'"
    case .texel(let x, let y):
      pixel = [x, y]
      first = "pixel (\(x), \(y)) of the target in frame \(entry.frame), pass '\(entry.pass)'"
    case .invocation(let workgroup, let index):
      pixel = nil
      first = "invocation \(index) of workgroup \(workgroup) in frame \(entry.frame), pass '\(entry.pass)'"
    }
  }

  /// `'tile' is written by invocation 3 and read by invocation 4 with no barrier between`.
  private static func title(ofRace other: WatchLog.Encounter, _ entry: WatchLog.Entry) -> String {
    var own = ""
    if case .invocation(_, let index) = entry.place { own = " by invocation \(index)" }
    let name = entry.site.variable.map { "'\($0)'" } ?? "shared memory"
    return "\(name) is \(other.otherAccess.text) by invocation \(other.invocation) and \(other.access.text)\(own) with no barrier between"
  }

  /// `not every pixel writes the result: z and w are missing`.
  private static func title(ofUnwrittenParts variables: [String], _ words: FindingWords) -> String {
    let parts = Set(variables.compactMap { $0.split(separator: ".").last.map(String.init) }).intersection(["x", "y", "z", "w"])
    guard !parts.isEmpty, !parts.isSuperset(of: ["x", "y", "z"]) else { return words.title }
    let names = ["x", "y", "z", "w"].filter(parts.contains)
    return "\(words.title): \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") missing"
  }

  private static let mostNames = 4

  private static func title(ofUnwritten variables: [String], _ words: FindingWords) -> String {
    guard let first = variables.first else { return "a variable \(words.title)" }
    let names = variables.prefix(mostNames).map { "'\($0)'" }.joined(separator: ", ") + (variables.count > mostNames ? " …" : "")
    if first.contains("()") { return "\(names) \(variables.count == 1 ? "is" : "are") returned without having been written" }
    return "\(names) \(variables.count == 1 ? words.title : words.titleOfSeveral)"
  }
}

extension SharedAccess {
  /// For messages.
  var text: String {
    switch self {
    case .reads: "read"
    case .writes: "written"
    case .isAtomic: "changed atomically"
    }
  }
}

extension FindingKind {
  /// The id of findings of the kind.
  var findingId: String { "sanitize.\(rawValue)" }
}

extension WatchSite.Scalar {
  /// The number with some bits, as it would be written.
  func text(of bits: UInt32) -> String {
    switch self {
    case .float: "\(Float(bitPattern: bits))"
    case .signed: "\(Int32(bitPattern: bits))"
    case .unsigned: "\(bits)"
    case .boolean: bits == 0 ? "false" : "true"
    }
  }
}

// MARK: places

/// Places that compilers name, turned into those that people look for.
extension SourceRange {
  private static let blank = UInt8(ascii: " ")

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// How far in front of its end a call may begin, in bytes.
  private static let longestCall = 8192

  /// The call that ends in the parenthesis of the range, from its name on: compilers give a call the place of its end.
  ///
  /// Of a call over several lines only the name; what ends in something else stays as it is.
  var wholeCall: SourceRange {
    let bytes = source.bytes
    guard range.count == 1, bytes[range.lowerBound] == UInt8(ascii: ")") else { return self }
    var depth = 0
    let begin = stride(from: range.lowerBound, through: max(range.lowerBound - Self.longestCall, 0), by: -1).first { place in
      if bytes[place] == UInt8(ascii: ")") { depth += 1 }
      if bytes[place] == UInt8(ascii: "(") { depth -= 1 }
      return depth == 0
    }
    guard let begin else { return self }
    var end = begin
    while end > 0, bytes[end - 1] == Self.blank { end -= 1 }
    var start = end
    while start > 0, Self.isWord(bytes[start - 1]) { start -= 1 }
    guard start < end else { return self }
    let isOneLine = source.position(at: start).line == source.position(at: range.lowerBound).line
    return SourceRange(source, start..<(isOneLine ? range.upperBound : end))
  }

  /// The variable on the line of the range, where it stands there: `color` for `color.a`.
  ///
  /// What a branch hangs on has the line of what comes before it: such a variable is looked for in the next line that holds code.
  func narrowed(to variable: String?) -> SourceRange {
    guard let name = variable?.prefix(while: { $0 != "." && $0 != "[" && $0 != "(" }), !name.isEmpty else { return self }
    let word = Array(name.utf8), line = source.position(at: range.lowerBound).line
    if let found = place(of: word, inLine: line) { return found }
    guard let next = (line + 1..<line + 1 + Self.mostBlankLines).first(where: { isCode($0) }), beginsBranch(next) else { return self }
    return place(of: word, inLine: next) ?? self
  }

  /// How many lines without code may stand in front of a branch.
  private static let mostBlankLines = 16
  private static let branches = ["if", "while", "for", "switch", "return"]

  private func isCode(_ line: Int) -> Bool {
    guard line <= source.lineCount else { return false }
    let text = source.line(line).drop { $0.isWhitespace || $0 == "{" || $0 == "}" }
    return !text.isEmpty && !text.hasPrefix("//")
  }

  private func beginsBranch(_ line: Int) -> Bool { Self.branches.contains { place(of: Array($0.utf8), inLine: line) != nil } }

  /// A word in a line: the last one in front of the range, else the first behind it.
  private func place(of word: [UInt8], inLine number: Int) -> SourceRange? {
    let bytes = source.bytes, line = source.byteRange(ofLine: number)
    var found: Int?
    for start in line where start + word.count <= line.upperBound && bytes[start..<start + word.count].elementsEqual(word) {
      let isWhole =
        (start == line.lowerBound || !Self.isWord(bytes[start - 1]))
        && (start + word.count == line.upperBound || !Self.isWord(bytes[start + word.count]))
      if isWhole, found == nil || start <= range.lowerBound { found = start }
    }
    return found.map { SourceRange(source, $0..<$0 + word.count) }
  }
}

// MARK: words

/// How bad it is that a shader does something, by what the specifications say of it.
package enum FindingSeverity: String, Sendable, Hashable, CaseIterable {
  /// There is no right result: devices, drivers and compilers each give their own.
  case undefined
  /// There is a right result, and no bound on how far off a device may be.
  case unboundedPrecision = "unbounded-precision"
  /// Results may differ from device to device within the rules, and they do.
  case notPortable = "not-portable"
  /// There is no right result, and yet every device gives the same: what the formula gives.
  case portableInPractice = "portable-in-practice"

  /// Whether findings of it are only counted unless all are asked for.
  package var isFolded: Bool { self == .portableInPractice }
}

/// What is said about a kind of finding.
struct FindingWords {
  /// What happened, for a message; operands follow it.
  let title: String
  /// The same of several things at once.
  fileprivate var titleOfSeveral: String { title.hasPrefix("is ") ? "are \(title.dropFirst(3))" : title }
  private(set) var severity: FindingSeverity
  /// What the specification says, in short.
  let rule: String
  /// What to write instead.
  let help: [String]
  /// Red, green and blue of its pixels in maps.
  private var rgb = 0xffffff
  var color: [UInt8] { [16, 8, 0].map { UInt8(rgb >> $0 & 255) } }

  private init(_ title: String, _ rule: String, _ help: [String], _ severity: FindingSeverity = .undefined) {
    self.title = title
    self.severity = severity
    self.rule = rule
    self.help = help
  }

  init(_ kind: FindingKind) {
    self = Self.all[kind] ?? Self(kind.rawValue, "", [])
    rgb = Self.colors[kind] ?? 0xffffff
  }

  /// - Parameter operands: the bits of the operands where it happened first.
  init(_ kind: FindingKind, at operands: [UInt32]) {
    self.init(kind)
    // Only between these numbers does the specification say how far off a sine may be.
    if kind == .sineHash, let x = operands.first, !(Float(bitPattern: x).magnitude <= .pi) { severity = .unboundedPrecision }
  }

  /// Memory is red, arithmetic goes from orange to green, shapes are blue, neighbours violet.
  private static let colors: [FindingKind: Int] = [
    .uninitialized: 0xff2020, .index: 0xff0080, .texel: 0xff60c0, .divisionByZero: 0xff8000, .integerDivisionByZero: 0xb06000,
    .negativeRemainder: 0xd09050, .moduloByZero: 0xffb060, .power: 0xffe000, .squareRoot: 0xc0e000, .inverseSquareRoot: 0xa0b000,
    .logarithm: 0x80ff40, .arc: 0x00c040, .angleOfZero: 0x00ffa0, .normalizeOfZero: 0x00ffe0, .smoothstepEdges: 0x00b0ff,
    .clampLimits: 0x4080ff, .shift: 0xc080ff, .conversion: 0xff90ff, .notFinite: 0xffffff, .sineHash: 0x6060ff, .divergentQuad: 0xa020ff,
    .reach: 0xff60ff, .endlessLoop: 0x804000, .sharedRace: 0xff4060, .divergentBarrier: 0x8040c0, .storedTwice: 0xc04080,
    .neverStored: 0x606060, .missingReturn: 0xff4000, .unwrittenResult: 0xc00020, .level: 0xffa0c0, .divisionOverflow: 0x906030,
    .hyperbolicArc: 0x40a040, .bitfield: 0xa060e0, .exponent: 0xe0e080, .singularInverse: 0xd0b000, .largeSine: 0x8080ff,
    .reversedSmoothstep: 0x80c0e0, .uninitializedShared: 0xe06060, .copyOutOrder: 0xe04000,
  ]

  private static let divisor = "GLSL: where the divisor of a ratio is 0 the result is undefined"

  private static let all: [FindingKind: FindingWords] = [
    .uninitialized: FindingWords(
      "is read before anything was written there",
      "GLSL: variables without an initializer start with undefined values; browsers and Etalon start them at 0",
      ["give it a value where it is declared, or on every path to this place"]),
    .missingReturn: FindingWords(
      "ends without 'return' and gives a result", "SPIR-V: what a function gives that ends without 'return' is undefined (OpUndef)",
      ["end every path of the function with 'return'"]),
    .copyOutOrder: FindingWords(
      "gets two different results of one call",
      "GLSL: the order in which 'out' and 'inout' parameters are copied back is undefined; Etalon copies the first one first",
      ["give each 'out' and 'inout' parameter a variable of its own"]),
    .unwrittenResult: FindingWords(
      "not every pixel writes the result",
      "GLSL: 'out' parameters begin undefined; browsers and Etalon start them at 0",
      ["write it on every path, as in 'fragColor = vec4(0.0, 0.0, 0.0, 1.0);' at the top"]),
    .index: FindingWords(
      "an index beyond the ends of what it indexes", "GLSL: indexing beyond the bounds of an array, vector or matrix is undefined",
      ["limit the index, as in 'a[clamp(i, 0, a.length() - 1)]'"]),
    .texel: FindingWords(
      "a texel beyond the edges of its texture",
      "GLSL: texelFetch outside the texture is undefined without robust access; Etalon gives what the input's ADDRESS says",
      ["limit the position: 'clamp(p, ivec2(0), textureSize(s, 0) - 1)'"]),
    .level: FindingWords(
      "a level that its texture does not have", "SPIR-V: sizes and texels of levels that a texture does not have are undefined",
      ["limit it: 'clamp(lod, 0, textureQueryLevels(s) - 1)'"]),
    .divisionOverflow: FindingWords(
      "the smallest integer divided by -1", "GLSL: a division that overflows gives an undefined value", ["test the divisor first"]),
    .hyperbolicArc: FindingWords(
      "'acosh' of a number below 1, or 'atanh' of one that is not between -1 and 1",
      "GLSL: acosh(x) is undefined for x < 1, atanh(x) for |x| >= 1", ["limit the argument: 'acosh(max(x, 1.0))'"]),
    .bitfield: FindingWords(
      "a field of bits that the number does not have",
      "GLSL: bitfieldExtract and bitfieldInsert are undefined where offset or bits is negative, or offset + bits is above 32",
      ["limit both: 'bitfieldExtract(x, offset & 31, min(bits, 32 - (offset & 31)))'"]),
    .exponent: FindingWords(
      "'ldexp' with an exponent above 128, or a product that no float can hold",
      "GLSL: ldexp(x, exp) is undefined for exp > 128, and where the product is too large", ["limit it: 'ldexp(x, min(exp, 127))'"]),
    .singularInverse: FindingWords(
      "'inverse' of a matrix whose determinant is 0", "GLSL: inverse of a matrix that is singular, or nearly so, is undefined",
      ["test 'abs(determinant(m)) > 1e-6' first"]),
    .largeSine: FindingWords(
      "a sine, cosine or tangent of a number so large that devices need not agree on a digit",
      "Vulkan: sin and cos have a bound from -pi to pi only; above 32768 neighboring floats are 2^-8 apart, as much as a level of 255",
      ["keep the angle small, as in 'sin(mod(t, 6.2831853))' of what it grows from", "hash integers where noise is meant"],
      .unboundedPrecision),
    .divisionByZero: FindingWords(
      "a division by zero", divisor, ["keep the divisor away from 0, as in 'x / max(y, 1e-6)'"]),
    .integerDivisionByZero: FindingWords(
      "an integer division by zero", "GLSL: '/' and '%' of integers by 0 give undefined values", ["test the divisor first"]),
    .negativeRemainder: FindingWords(
      "'%' of a negative number, or by one", "GLSL: '%' is undefined where an operand is negative",
      ["write '((a % n) + n) % n' over unsigned numbers, or 'a - n * int(floor(float(a) / float(n)))'"]),
    .moduloByZero: FindingWords("'mod' by zero", divisor, ["keep the second argument away from 0"]),
    .power: FindingWords(
      "'pow' of a negative number, or of zero with an exponent that is not positive",
      "GLSL: pow(x, y) is undefined for x < 0, and for x = 0 with y <= 0",
      ["write 'x * x' for whole exponents, or 'pow(abs(x), y)' or 'pow(max(x, 0.0), y)' for what is meant"]),
    .squareRoot: FindingWords("'sqrt' of a negative number", "GLSL: sqrt(x) is undefined for x < 0", ["write 'sqrt(max(x, 0.0))'"]),
    .inverseSquareRoot: FindingWords(
      "'inversesqrt' of a number that is not positive", "GLSL: inversesqrt(x) is undefined for x <= 0",
      ["write 'inversesqrt(max(x, 1e-12))'"]),
    .logarithm: FindingWords(
      "a logarithm of a number that is not positive", "GLSL: log(x) and log2(x) are undefined for x <= 0", ["write 'log(max(x, 1e-12))'"]),
    .arc: FindingWords(
      "'asin' or 'acos' of a number beyond -1 and 1", "GLSL: asin(x) and acos(x) are undefined for |x| > 1",
      ["write 'acos(clamp(x, -1.0, 1.0))'"]),
    .angleOfZero: FindingWords(
      "'atan(0, 0)'", "GLSL: atan(y, x) is undefined where both are 0", ["move the point, as in 'atan(y, x + 1e-9)'"]),
    .normalizeOfZero: FindingWords(
      "'normalize' of a vector without length", "GLSL: normalize(v) divides by the length of v, and a division by 0 is undefined",
      ["write 'v * inversesqrt(max(dot(v, v), 1e-12))'"]),
    .smoothstepEdges: FindingWords(
      "'smoothstep' whose edges are equal", "GLSL: smoothstep(edge0, edge1, x) is undefined for edge0 >= edge1",
      ["write 'step(edge, x)' for a step that has no width"]),
    .reversedSmoothstep: FindingWords(
      "'smoothstep' whose first edge is above its second",
      "GLSL: smoothstep(edge0, edge1, x) is undefined for edge0 >= edge1; every device computes the formula",
      ["write '1.0 - smoothstep(low, high, x)' for a step that falls"], .portableInPractice),
    .clampLimits: FindingWords(
      "'clamp' whose minimum is above its maximum", "GLSL: clamp(x, minimum, maximum) is undefined for minimum > maximum",
      ["swap the limits"]),
    .shift: FindingWords(
      "a shift by a negative number, or by all bits and more",
      "GLSL: shifting by a negative number, or by the number of bits and more, is undefined",
      ["limit it: 'x << (n & 31)'"]),
    .conversion: FindingWords(
      "a float that does not fit into its type",
      "GLSL: converting a float that the type cannot hold is undefined, as is a negative float to uint",
      ["limit the number, or convert by way of int: 'uint(int(x))'"]),
    .reach: FindingWords(
      "a read beyond the REACH that the header declares",
      "Etalon: where only a part of a picture is wanted, no more is computed around it than REACH says",
      ["make the REACH as large as the farthest read"]),
    .endlessLoop: FindingWords(
      "a loop that does not end, or not soon enough",
      "GLSL: what becomes of very long loops and of those that do not end depends on the platform; Etalon leaves them here, and 'render' stops",
      ["count the rounds and end at a number, as in 'for (int i = 0; i < 256; i++)'"], .notPortable),
    .notFinite: FindingWords(
      "NaN or infinity out of finite numbers", "Vulkan: devices need not keep NaN and infinity, and may compute as if there were none",
      ["find out which operand is too large or meets its own opposite"]),
    .sineHash: FindingWords(
      "noise from a magnified sine",
      "Vulkan: sin and cos may be off by 2^-11 within -pi and pi and by any amount beyond; the factor makes noise of that",
      ["hash integers: 'floatBitsToUint' and multiplications give the same noise on every device"], .notPortable),
    .divergentQuad: FindingWords(
      "a derivative where not all pixels of its 2x2 quad go",
      "GLSL: implicit derivatives are undefined within control flow that is not uniform; 'texture' uses them for its level",
      ["move it in front of the branch, or read with 'textureLod'"]),
    .sharedRace: FindingWords(
      "a race in shared memory",
      "Vulkan: invocations run in any order; what one writes another may see, or not, until both have passed a barrier",
      ["put 'barrier();' between the two, or use atomic functions in both places"]),
    .uninitializedShared: FindingWords(
      "is read where nothing of the workgroup wrote to it",
      "GLSL: shared variables start with undefined values; Etalon starts them at 0, other hosts show what lay in memory",
      ["write every element that is read, and put 'barrier();' behind it"], .notPortable),
    .divergentBarrier: FindingWords(
      "a barrier that not all invocations of the workgroup get to",
      "GLSL: barrier() may only be called where all invocations of the workgroup call it; others wait forever, or not at all",
      ["move it out of the branch, the loop or behind the early return"]),
    .storedTwice: FindingWords(
      "a pixel that was stored already", "Vulkan: two stores to one pixel in a dispatch come in any order",
      ["store each pixel from one invocation, or count in a buffer with atomic functions"]),
    .neverStored: FindingWords(
      "pixels of the target that nothing is stored to",
      "Etalon starts targets as transparent black and keeps persistent ones as they were; other hosts show what lay in memory",
      ["store every pixel that IMG_SIZE of the target counts, or make the DISPATCH larger"], .notPortable),
  ]
}
