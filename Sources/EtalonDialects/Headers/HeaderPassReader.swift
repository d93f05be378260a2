internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Reads elements of `PASSES`, and the sizes, formats and reaches that headers give elsewhere too.
struct HeaderPassReader {
  private(set) var diagnostics: [Diagnostic] = []
  private let policy: HeaderPolicy
  private let expressions: any HeaderExpressions
  /// The targets of the passes so far, each where it is named first.
  private var targets: [String: Placed<String>] = [:]

  private static let mostIterations = 65_536

  /// - Parameter header: its parameters, which expressions may name, are read.
  init(_ header: FilterHeader) {
    policy = header.policy
    expressions = policy.expressions.init(parameters: header.parameters)
  }

  mutating func pass(_ value: LocatedJSON, index: Int, isLast: Bool) -> FilterHeader.Pass {
    var members = policy.members(value, .pass, of: "pass \(index)")
    var pass = FilterHeader.Pass(place: value.place)
    pass.kernel = members.string("KERNEL")
    pass.target = members.string("TARGET").flatMap { $0.value.isEmpty && policy.isLenient ? nil : $0 }
    pass.isPersistent = flag("PERSISTENT", &members)?.value ?? false
    readTarget(of: &pass, &members)
    pass.iterations = whole("ITERATIONS", in: 1...Self.mostIterations, &members) ?? 1
    pass.localSize = localSize(&members)
    pass.dispatch = dispatch(&members)
    pass.writes = members.strings("WRITES")
    pass.reach = reach(&members)
    if policy.isLenient { checkTarget(of: pass, index, isLast, &members) }
    if !policy.isLenient, pass.isPersistent, pass.target == nil, pass.writes == nil {
      members.report(
        "native.persistent", "only a target can be persistent", at: members.object["PERSISTENT"]?.place ?? value.place, "without a target",
        help: ["add \"TARGET\": \"name\""])
    }
    close(&members)
    return pass
  }

  /// A buffer of the first version of ISF.
  mutating func persistentBuffer(_ value: LocatedJSON, name: Placed<String>) -> FilterHeader.Pass {
    var members = policy.members(value, .persistentBuffer, of: "the buffer '\(name.value)'")
    var buffer = FilterHeader.Pass(target: name)
    readTarget(of: &buffer, &members)
    close(&members)
    return buffer
  }

  /// An element of `OUTPUTS`: a name, or an object with a `NAME`.
  mutating func output(_ value: LocatedJSON, index: Int) -> FilterHeader.Output? {
    if case .string(let name) = value.content {
      return FilterHeader.Output(name: Placed(name, at: value.place), format: .rgba16f, extent: .output)
    }
    var members = policy.members(value, .output, of: "output \(index)")
    members.reportMissing("NAME")
    for key in ["SCALE", "WIDTH", "HEIGHT"] where index == 0 {
      guard let place = members.object[key]?.place else { continue }
      members.report(
        "native.result-size", "'\(key)' of the first output, which is the result of the filter", at: place, "has no effect here",
        help: ["remove it; 'EXTENT' of the header says what the result covers"])
    }
    var target = FilterHeader.Pass(target: members.string("NAME"))
    readTarget(of: &target, &members)
    close(&members)
    return target.target.map { FilterHeader.Output(name: $0, format: target.format, extent: target.extent) }
  }

  /// An element of `BUFFERS`.
  mutating func buffer(_ value: LocatedJSON, index: Int) -> (name: Placed<String>, buffer: FilterBuffer)? {
    var members = policy.members(value, .buffer, of: "buffer \(index)")
    let name = members.string("NAME")
    let type = elementType(&members)
    let count = expression("COUNT", of: "'COUNT' of buffer \(index)", &members)
    for key in ["NAME", "TYPE", "COUNT"] { members.reportMissing(key) }
    if let count = members.object["COUNT"], let number = count.number, !(1...Double(1 << 28)).contains(number) || number != number.rounded()
    {
      members.report(
        "native.number", "'COUNT' of buffer \(index) is no whole number from 1 to \(1 << 28)", at: count.place, "out of range")
    }
    let isPersistent = members.bool("PERSISTENT")?.value ?? false
    close(&members)
    guard let name, let type, let count else { return nil }
    return (name, FilterBuffer(name: name.value, type: type, count: count, isPersistent: isPersistent, place: name.place))
  }

  private mutating func close(_ members: inout JSONMembers) {
    members.reportUnknownKeys(as: policy.unknownKeys)
    diagnostics += members.diagnostics
  }

  private static let elementTypes: [ValueType] = [.int, .uint, .float, .vec2, .vec4, .ivec2, .ivec4]

  private func elementType(_ members: inout JSONMembers) -> ValueType? {
    guard let written = members.string("TYPE") else { return nil }
    if let type = ValueType(rawValue: written.value), Self.elementTypes.contains(type) { return type }
    members.reportWord(written, "TYPE", Self.elementTypes.map(\.rawValue))
    return nil
  }

  // MARK: targets

  /// Reads the format and the size of what a pass writes.
  private func readTarget(of pass: inout FilterHeader.Pass, _ members: inout JSONMembers) {
    pass.format = format(&members)
    let scale = members.value("SCALE")
    for key in ["WIDTH", "HEIGHT"] where scale != nil {
      guard let place = members.object[key]?.place else { continue }
      members.report(
        "native.two-sizes", "'SCALE' and '\(key)' both say how large the target is", at: place, "the second", help: ["remove one"])
    }
    pass.width = expression("WIDTH", of: "'WIDTH'", &members)
    pass.height = expression("HEIGHT", of: "'HEIGHT'", &members)
    pass.extent =
      scale.map { self.scale($0, &members) } ?? type(of: expressions).extent(width: pass.width, height: pass.height)
  }

  /// `0.5`, or `"1/3"`.
  private func scale(_ value: LocatedJSON, _ members: inout JSONMembers) -> FilterTarget.Extent {
    var factor: Rational?
    switch value.content {
    case .number(let text), .string(let text): factor = Rational(text)
    default: break
    }
    guard let factor, factor > .zero, factor <= FilterTarget.Extent.largestFactor else {
      members.report(
        "native.scale", "'SCALE' is no number above 0 and up to 16", at: value.place, value.kind, help: ["write 0.5 or \"1/3\""])
      return .output
    }
    return factor == Rational(1) ? .output : .scaled(factor)
  }

  /// `FORMAT`, or ISF's `FLOAT`.
  private func format(_ members: inout JSONMembers) -> PixelFormat {
    let format = members.word("FORMAT", PixelFormat.self)
    let isFloat = flag("FLOAT", &members)
    if format != nil, let isFloat {
      members.report("native.two-formats", "'FORMAT' and 'FLOAT' both say what the target holds", at: isFloat.place, "remove this")
    }
    return format ?? (isFloat?.value == true ? .rgba32f : .rgba16f)
  }

  /// A truth value; hosts of ISF take numbers and words too.
  private func flag(_ key: String, _ members: inout JSONMembers) -> Placed<Bool>? {
    guard policy.isLenient else { return members.bool(key) }
    guard let value = members.value(key) else { return nil }
    switch value.content {
    case .bool(let isTrue): return Placed(isTrue, at: value.place)
    case .number: return Placed(value.number != 0, at: value.place)
    case .string(let text) where ["true", "false", "yes", "no", "1", "0"].contains(text.lowercased()):
      members.report(
        "isf.flag", "'\(key)' is a string, expected true or false", severity: .warning, at: value.place, "a string",
        help: ["remove the quotes"])
      return Placed(["true", "yes", "1"].contains(text.lowercased()), at: value.place)
    default:
      members.reportType(of: value, named: "'\(key)'", expected: "true or false")
      return nil
    }
  }

  /// Two passes of an ISF file may write one target; a pass without a target, or the size of the result, has no effect.
  private mutating func checkTarget(of pass: FilterHeader.Pass, _ index: Int, _ isLast: Bool, _ members: inout JSONMembers) {
    if let name = pass.target {
      guard let first = targets[name.value] else {
        targets[name.value] = name
        return
      }
      members.report(
        "isf.target-twice", "two passes write the target '\(name.value)'", severity: .warning, at: name.place, "again here",
        further: [first.place.label("first here")], notes: ["size and format are those of the first"])
    } else if !isLast, members.object.members != nil {
      members.report(
        "isf.pass-without-target", "pass \(index) writes no target, so its picture is lost", severity: .warning, at: members.object.place,
        "no 'TARGET'", help: ["name a target, or remove the pass"])
    } else if isLast, let size = members.object["WIDTH"] ?? members.object["HEIGHT"] {
      members.report(
        "isf.size-without-target", "the last pass gives the result, whose size the user chooses", severity: .warning, at: size.place,
        "has no effect", help: ["remove 'WIDTH' and 'HEIGHT', or name a target"])
    }
  }

  // MARK: kernels

  private func expression(_ key: String, of what: String, _ members: inout JSONMembers) -> ExpressionText? {
    members.value(key).flatMap { expressions.read($0, of: what, &members) }
  }

  /// A whole number in a range; nil when it is missing or another number, which is reported.
  private func whole(_ key: String, in range: ClosedRange<Int>, _ members: inout JSONMembers) -> Int? {
    guard let number = members.number(key) else { return nil }
    if number.value == number.value.rounded(), number.value >= Double(range.lowerBound), number.value <= Double(range.upperBound) {
      return Int(number.value)
    }
    members.report(
      "native.number", "'\(key)' is no whole number from \(range.lowerBound) to \(range.upperBound)", at: number.place, "out of range")
    return nil
  }

  private func localSize(_ members: inout JSONMembers) -> Placed<[Int]>? {
    guard let numbers = members.numbers("LOCAL_SIZE") else { return nil }
    let sizes = numbers.value.compactMap { Int(exactly: $0) }
    guard sizes.count == numbers.value.count, WorkgroupLimits.admits(sizes) else {
      members.report(
        "native.local-size", "'LOCAL_SIZE' is not \(WorkgroupLimits.words)", at: numbers.place, "these sizes", help: ["write [16, 16]"])
      return nil
    }
    return Placed(sizes + Array(repeating: 1, count: 3 - sizes.count), at: numbers.place)
  }

  private func dispatch(_ members: inout JSONMembers) -> Placed<[ExpressionText]>? {
    guard let counts = members.array("DISPATCH") else { return nil }
    guard (1...3).contains(counts.value.count) else {
      members.report("native.dispatch", "'DISPATCH' is not one to three numbers of workgroups", at: counts.place, "these numbers")
      return nil
    }
    let read = counts.value.compactMap { expressions.read($0, of: "'DISPATCH'", &members) }
    guard read.count == counts.value.count else { return nil }
    return Placed(read + Array(repeating: ExpressionText("1", place: nil), count: 3 - read.count), at: counts.place)
  }

  /// `REACH`: a number, two of them, an expression, or `all`.
  func reach(_ members: inout JSONMembers) -> KernelReach? {
    guard let value = members.value("REACH") else { return nil }
    if case .string("all") = value.content { return .everywhere }
    let parts = value.elements ?? [value]
    guard (1...2).contains(parts.count) else {
      members.report(
        "native.reach", "'REACH' is neither a number of pixels, nor two of them, nor 'all'", at: value.place, "\(parts.count) numbers")
      return nil
    }
    if let negative = parts.first(where: { ($0.number ?? 0) < 0 }) {
      members.report("native.reach", "'REACH' is a distance, which is not negative", at: negative.place, "below 0")
      return nil
    }
    let read = parts.compactMap { expressions.read($0, of: "'REACH'", &members) }
    return read.count == parts.count ? .pixels(x: read[0], y: read[read.count - 1]) : nil
  }

  /// `EXTENT`: a word, or a rectangle; or `SIZE`.
  func resultExtent(_ members: inout JSONMembers) -> ResultExtent? {
    let size = size(&members)
    guard let value = members.value("EXTENT") else { return size }
    if let place = members.value("SIZE")?.place {
      members.report(
        "native.size", "'SIZE' and 'EXTENT' both say what the result covers", at: place, "a second time", help: ["remove one of them"],
        notes: ["'SIZE' is for results of another size than the picture, which is read whole; 'EXTENT' for a part of the plane"])
      return nil
    }
    let words: [String: ResultExtent] = ["input": .input, "grow": .grown, "infinite": .infinite, "union": .union]
    if case .string(let word) = value.content {
      if let extent = words[word] { return extent }
      members.reportWord(Placed(word, at: value.place), "EXTENT", ["input", "grow", "infinite", "union", "[x, y, width, height]"])
      return nil
    }
    let parts = (value.elements ?? []).compactMap { expressions.read($0, of: "'EXTENT'", &members) }
    guard parts.count == 4, value.elements?.count == 4 else {
      if value.elements?.count != 4 {
        members.report(
          "native.extent", "'EXTENT' is neither a word nor a rectangle", at: value.place, value.kind, help: ["write [x, y, width, height]"])
      }
      return nil
    }
    return .rectangle(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  /// `"SIZE": ["2 * width", "height"]`; nil without it, and for what is none, which is reported.
  private func size(_ members: inout JSONMembers) -> ResultExtent? {
    guard let value = members.value("SIZE") else { return nil }
    let parts = (value.elements ?? []).compactMap { expressions.read($0, of: "'SIZE'", &members) }
    guard let elements = value.elements, elements.count == 2 else {
      members.report(
        "native.size", "'SIZE' is not a width and a height", at: value.place, value.kind, help: ["write [\"2 * width\", \"2 * height\"]"])
      return nil
    }
    return parts.count == 2 ? .sized(width: parts[0], height: parts[1]) : nil
  }

  /// `CONSTRAINTS`: what must be true of the parameters together.
  func constraints(_ members: inout JSONMembers) -> [ExpressionText] {
    (members.array("CONSTRAINTS")?.value ?? []).compactMap { value in
      guard case .string = value.content else {
        members.reportType(of: value, named: "an element of 'CONSTRAINTS'", expected: "a string")
        return nil
      }
      return expressions.read(value, of: "a constraint", &members)
    }
  }
}
