internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// What a case says about how its pictures are made.
struct CaseOptions {
  var alpha: AlphaMode?
  var bits = 8
  var pointer: PointerState?
  var eventsFile: String?
  private var mayBeFlat = false
  private var mayBeNotFinite = false

  /// The words that `allow` knows.
  private static let words = ["flat", "not-finite"]

  mutating func read(allowed: [GraphText.Word], _ members: inout DocumentMembers) {
    for word in allowed {
      switch word.text {
      case "flat": mayBeFlat = true
      case "not-finite": mayBeNotFinite = true
      default:
        let nearest = NearestName.find(word.text, in: Self.words).map { "did you mean '\($0)'?" }
        members.report(
          "case.allow", "'\(word.text)' cannot be allowed", at: word.place, "unknown",
          help: [nearest ?? "choose from \(Self.words.joined(separator: ", "))"])
      }
    }
  }

  func apply(to result: inout TestCase) {
    (result.alpha, result.bits, result.pointer, result.eventsFile) = (alpha, bits, pointer, eventsFile)
    (result.mayBeFlat, result.mayBeNotFinite) = (mayBeFlat, mayBeNotFinite)
  }
}

/// Reads words of a case as what they should be; what is wrong is reported at its place.
enum CaseValues {
  static func size(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Size? {
    size(word.text) ?? refuse(word, "case.size", "a width and a height", "not a size", "size: 64x64", &members)
  }

  /// `64x64`; nil for what is no size.
  static func size(_ text: String) -> Size? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...32768).contains($0) }) else { return nil }
    return Size(sides[0], sides[1])
  }

  /// `0-10x5`, `7`, `[0, 5, 10]`.
  static func frames(_ node: LocatedNode, _ members: inout DocumentMembers) -> [TestCase.Moment] {
    let words = members.words("frames")
    var frames: [Int] = []
    for word in words {
      do throws(DiagnosticsError) { frames += try FrameRangeParser.parse(word.text, option: "frames").frames } catch {
        for found in error.diagnostics {
          members.report(Diagnostic(found.id, found.message, labels: [word.label("not frames")], help: found.help, notes: found.notes))
        }
      }
    }
    if words.isEmpty, case .sequence = node.content {
      members.report("case.moments", "'frames' names no frame", at: node.place, "empty", help: ["write 'frames: 0-10x5'"])
    }
    var known: Set<Int> = []
    return frames.filter { known.insert($0).inserted }.map { .frame($0) }
  }

  /// `1.5`, `1.5s`, `1001/24`.
  static func time(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Rational? {
    seconds(word.text) ?? refuse(word, "case.time", "seconds up to \(ShotClock.longestTime)", "not a time", "times: [0.5, 1]", &members)
  }

  /// `1.5`, `1.5s`, `1001/24`; nil for what is no time, or none that shots may have.
  static func seconds(_ text: String) -> Rational? {
    Rational(text.hasSuffix("s") ? text.dropLast() : text[...]).flatMap { ShotClock.holds($0) ? $0 : nil }
  }

  static func rate(_ word: GraphText.Word, _ members: inout DocumentMembers) -> FrameRate {
    FrameRate(word.text) ?? refuse(word, "case.rate", "frames a second above 0 and up to 1000", "not a rate", "rate: 24", &members)
      ?? .sixty
  }

  static func frame(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Int {
    if let number = Int(word.text), number.magnitude <= FrameRange.largestFrame.magnitude { return number }
    return refuse(word, "case.first", "the number of a frame", "not a number", "first: 1001", &members) ?? 0
  }

  /// `320,180` or `320,180,down`.
  static func pointer(_ word: GraphText.Word, _ members: inout DocumentMembers) -> PointerState? {
    let parts = word.text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    let numbers = parts.prefix(2).compactMap { Rational($0)?.double }
    guard numbers.count == 2, parts.count == 2 || (parts.count == 3 && parts[2] == "down") else {
      return refuse(word, "case.mouse", "a position in pixels", "not a position", "mouse: 320,180", &members)
    }
    return PointerState(x: numbers[0], y: numbers[1], isDown: parts.count == 3)
  }

  private static func refuse<Result>(
    _ word: GraphText.Word, _ id: String, _ expected: String, _ label: String, _ example: String, _ members: inout DocumentMembers
  ) -> Result? {
    members.report(id, "expected \(expected), found '\(word.text)'", at: word.place, label, help: ["write '\(example)'"])
    return nil
  }
}

extension [TestCase.Moment] {
  /// What stands for each of them in the names of files: the numbers of frames, the places of times.
  var numbers: [Int] {
    enumerated().map { index, moment in
      switch moment {
      case .frame(let frame): frame
      case .first: 0
      case .time: index
      }
    }
  }
}

/// Makes patterns of paths that people wrote for other things than frames.
enum FramePatternName {
  static func pattern(_ stem: String, isSequence: Bool) -> FramePattern {
    let slash = stem.lastIndex(of: "/").map { stem.index(after: $0) } ?? stem.startIndex
    return FramePattern(
      folder: String(stem[..<slash]), prefix: stem[slash...] + (isSequence ? "." : ""), padding: isSequence ? 4 : nil, suffix: ".png")
  }
}
