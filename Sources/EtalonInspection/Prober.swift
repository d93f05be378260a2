package import Etalon
internal import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonPlan
package import EtalonTypes

/// Renders one pixel on the CPU executor and tells what its author's lines assign on the way.
///
/// **Concurrency**: an immutable value; running blocks.
package struct Prober: Sendable {
  /// What one pixel did.
  package struct Result: Sendable {
    /// In the order in which they were reached first.
    package let lines: [ProbeLine]
    /// The color of the result; nil where the pass is another.
    package let color: [Float]?
    package let frame: Int
    /// The size of the picture that the pixel is in.
    package let size: Size
    /// How many assignments there were beyond those that could be kept.
    package let lostCount: Int
    /// What loading had to say.
    package let warnings: [Diagnostic]
  }

  private let x: Int
  private let y: Int
  private let pass: String?

  /// - Parameters:
  ///   - x: the column, from the left.
  ///   - y: the row, from the bottom.
  ///   - pass: the name of a pass; nil for the one that renders the result.
  package init(x: Int, y: Int, pass: String? = nil) {
    precondition(x >= 0 && y >= 0, "a pixel outside")
    self.x = x
    self.y = y
    self.pass = pass
  }

  /// Renders the last frame of a request; nil where it was interrupted.
  ///
  /// Throws what `render` would, and `ProbeError`.
  package func run(_ request: RenderRequest, isInterrupted: () -> Bool = { false }) throws -> Result? {
    var request = request.observed
    request.bits = 32
    let kernels = KernelStore(keepsLines: true)
    let log = ProbeLog(pass: pass, x: x, y: y) { kernel, line in
      guard let lines = kernels.lines(of: kernel) else { return false }
      return lines.origin(ofLine: line) != nil && !lines.isAddedValue(atLine: line)
    }
    let shot = try ShotRenderer(probing: kernels, log).prepare(request)
    let size = try sizeOfPass(in: shot)
    guard let frame = shot.frames.last, let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { return nil }
    defer { pending.release() }
    try pending.wait()
    let color = pass == nil ? color(shot.pixels(of: pending)) : nil
    let trace = log.trace
    return Result(
      lines: trace.map { ProbeLine.lines(of: $0, kernels) } ?? [], color: color, frame: frame, size: size,
      lostCount: max((trace?.count ?? 0) - ProbeLog.limit, 0), warnings: shot.warnings + [shot.noteOfLength].compactMap(\.self))
  }

  /// The size of the picture that is looked at, which has to have the pixel.
  private func sizeOfPass(in shot: Shot) throws(ProbeError) -> Size {
    let plan = shot.plan.plan
    let passes = plan.passes.compactMap { pass -> (name: String, size: Size)? in
      if case .pixels(let size) = pass.coverage { (pass.name, size) } else { nil }
    }
    var size = shot.size
    if let pass {
      guard let known = passes.last(where: { $0.name == pass }) else { throw .pass(pass, known: passes.map(\.name)) }
      size = known.size
    }
    guard x < size.width, y < size.height else { throw .outside(x: x, y: y, size) }
    return size
  }

  private func color(_ picture: PixelBuffer) -> [Float] {
    precondition(picture.format == .rgba32f, "a picture of \(picture.format)")
    let start = (picture.size.height - 1 - y) * picture.bytesPerRow + 16 * x
    return (0..<4).map { channel in
      let bytes = picture.bytes[(start + 4 * channel)..<(start + 4 * channel + 4)]
      return Float(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}

/// What cannot be probed.
package enum ProbeError: Error {
  case outside(x: Int, y: Int, Size)
  case pass(String, known: [String])
  /// Nothing assigns the variable, at the line where there is one.
  case variable(String, line: Int?, known: [String])
}

// MARK: lines

/// What a line of a shader assigned to one variable while one pixel was rendered.
///
/// **Concurrency**: an immutable value.
package struct ProbeLine: Sendable {
  /// The most values that are kept of a line that runs often.
  package static let mostValues = 8

  package let place: SourceRange
  /// `color`, `hit.normal`, `weights[3]`.
  package let name: String
  /// The first values, as they would be written: `0.5`, `(1.0, 0.0)`.
  package private(set) var values: [String]
  /// How many there were.
  package private(set) var count: Int

  /// `plasma.glsl:3: uv = (0.5, 0.25), (0.5, 0.75) … 6 more`.
  package var text: String {
    let line = place.source.position(at: place.range.lowerBound).line
    let more = count > values.count ? " … \(count - values.count) more" : ""
    return "\(place.source.path):\(line): \(authorName) = \(values.joined(separator: ", "))\(more)"
  }

  /// The name as the author wrote it: `gl_FragColor`, and `c.rgb` where the text has that.
  private var authorName: String {
    let written = AuthorNames.original(of: name)
    guard let dot = written.lastIndex(of: ".") else { return written }
    let letters = written[written.index(after: dot)...]
    guard letters.count > 1, letters.allSatisfy({ Self.letters.contains($0) }) else { return written }
    let colors = String(letters.compactMap { letter in Self.letters.firstIndex(of: letter).map { Array("rgba")[$0] } })
    let other = "\(written[..<dot]).\(colors)"
    let line = place.source.line(place.source.position(at: place.range.lowerBound).line)
    return line.contains(other) ? other : written
  }

  private struct Key: Hashable {
    let site: Int
    let name: String
  }

  /// The lines that a person wrote, in the order in which they were reached first.
  static func lines(of trace: ProbeLog.Trace, _ kernels: KernelStore) -> [ProbeLine] {
    guard let origins = kernels.lines(of: trace.kernel) else { return [] }
    var order: [Key] = []
    var found: [Key: ProbeLine] = [:]
    for assignment in trace.assignments {
      let key = Key(site: assignment.number, name: assignment.name)
      if found[key] == nil {
        guard let place = origins.origin(ofLine: assignment.site.line) else { continue }
        order.append(key)
        found[key] = ProbeLine(place: place, name: assignment.name, values: [], count: 0)
      }
      found[key]?.add(assignment)
    }
    return joined(order.compactMap { found[$0] })
  }

  /// The lines with what `c.rgb *= 0.5` assigns one by one put together again: as `c.rgb`.
  private static func joined(_ lines: [ProbeLine]) -> [ProbeLine] {
    lines.reduce(into: []) { joined, line in
      guard let last = joined.last, let whole = last.joined(with: line) else { return joined.append(line) }
      joined[joined.count - 1] = whole
    }
  }

  /// Both as one line; nil where they are not neighboring components that one statement assigns.
  private func joined(with next: ProbeLine) -> ProbeLine? {
    func parts(_ name: String) -> (base: Substring, letters: Substring)? {
      guard let dot = name.lastIndex(of: ".") else { return nil }
      let letters = name[name.index(after: dot)...]
      return letters.allSatisfy { Self.letters.contains($0) } ? (name[..<dot], letters) : nil
    }
    guard place == next.place, count == next.count, let own = parts(name), let other = parts(next.name), own.base == other.base,
      other.letters.count == 1, let last = own.letters.last.flatMap({ Self.letters.firstIndex(of: $0) }),
      Self.letters.dropFirst(last + 1).first == other.letters.first
    else { return nil }
    let values = zip(values, next.values).map { first, second in
      "(\(first.hasPrefix("(") ? String(first.dropFirst().dropLast()) : first), \(second))"
    }
    return ProbeLine(place: place, name: "\(own.base).\(own.letters)\(other.letters)", values: values, count: count)
  }

  private static let letters = Array("xyzw")

  private mutating func add(_ assignment: ProbeLog.Assignment) {
    count += 1
    guard values.count < Self.mostValues else { return }
    let numbers = assignment.words.map { assignment.site.scalar.text(of: $0) }
    values.append(numbers.count == 1 ? numbers[0] : "(\(numbers.joined(separator: ", ")))")
  }
}
