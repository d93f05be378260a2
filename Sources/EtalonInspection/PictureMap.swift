internal import Etalon
internal import EtalonCPU
internal import EtalonManifest
internal import EtalonMedia
package import EtalonTypes

/// What a picture is to show of what a shader does.
package enum MapKind: String, Sendable, Hashable, CaseIterable {
  /// Where something happened that has no defined result.
  case findings
  /// How many operations each pixel takes.
  case instructions
  /// Where the first NaN or infinity of each pixel comes from.
  case nan
  /// How far each pixel moves where devices compute as loosely as they may.
  case stability
}

/// A picture of what a shader does, pixel by pixel, and what its colors stand for.
///
/// **Concurrency**: an immutable value.
package struct PictureMap: Sendable {
  /// What a color stands for.
  package struct Entry: Sendable {
    package let text: String
    /// Red, green and blue.
    package let color: [UInt8]
    /// How many pixels have it.
    package let pixelCount: Int

    /// `#ff8000`.
    package var colorText: String { "#" + color.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
  }

  package let kind: MapKind
  /// The pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  package let legend: [Entry]
  /// What else is to be said.
  package let notes: [String]
  package let picture: PixelBuffer

  /// A picture in which each pixel has the color of an entry, or what lies under it.
  ///
  /// - Parameters:
  ///   - entries: for each pixel the number of its entry, -1 for none; the top row first.
  ///   - counts: how many pixels each entry is in, where some are hidden.
  ///   - rendered: what lies under the map, 8 bits; black where there is none.
  init(
    _ kind: MapKind, pass: String, frame: Int, size: Size, _ entries: [Int], _ legend: [(text: String, color: [UInt8])],
    counts: [Int]? = nil, over rendered: PixelBuffer? = nil, notes: [String] = []
  ) {
    let counts = counts ?? legend.indices.map { entry in entries.count { $0 == entry } }
    self.kind = kind
    (self.pass, self.frame, self.size, self.notes) = (pass, frame, size, notes)
    self.legend = zip(legend, counts).map { Entry(text: $0.text, color: $0.color, pixelCount: $1) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 4)
    for (pixel, entry) in entries.enumerated() {
      bytes += entry >= 0 ? legend[entry].color : rendered.map { Self.grey($0, pixel) } ?? [0, 0, 0]
      bytes.append(255)
    }
    picture = PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }

  /// A third of the brightness of a pixel.
  private static func grey(_ rendered: PixelBuffer, _ pixel: Int) -> [UInt8] {
    let channels = rendered.bytes[4 * pixel..<4 * pixel + 4].map(Int.init)
    let brightness = (54 * channels[0] + 183 * channels[1] + 19 * channels[2]) / 256
    let covered = rendered.alpha == .straight ? brightness * channels[3] / 255 : brightness
    return [UInt8](repeating: UInt8(covered / 3), count: 3)
  }

  /// Colors from dark to light for what grows.
  private static func ramp(_ count: Int) -> [[UInt8]] {
    let stops: [(Float, Float, Float)] = [(12, 8, 38), (66, 10, 104), (147, 38, 103), (221, 81, 58), (252, 165, 10), (252, 255, 164)]
    return (0..<count).map { index in
      let place = count == 1 ? 0 : Float(index) / Float(count - 1) * Float(stops.count - 1)
      let low = min(Int(place), stops.count - 2), part = place - Float(min(Int(place), stops.count - 2))
      let (a, b) = (stops[low], stops[low + 1])
      return [a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part, a.2 + (b.2 - a.2) * part].map { UInt8($0.rounded()) }
    }
  }
}

/// The file that a map is written to.
package struct MapFile: Sendable {
  package let kind: MapKind
  package let path: String
  private let policy: ReplacePolicy

  /// - Parameter overwrites: whether files are replaced that Etalon did not write.
  package init(_ kind: MapKind = .findings, _ path: String, overwrites: Bool) {
    self.kind = kind
    self.path = path
    policy = overwrites ? .anything : .ownFrames
  }

  /// Fails where the file may not be written, before anything is rendered.
  func check() throws(RenderError) { try policy.check(path) }

  func write(_ map: PictureMap, of shot: Shot) throws(RenderError) { try shot.write(map.picture, to: path, policy: policy) }
}

// MARK: findings

extension PictureMap {
  /// Where a shader does what has no defined result, over a dark copy of what it renders.
  ///
  /// Where several things happen in one pixel, the most severe is shown, and of those the one that happens in the fewest pixels.
  ///
  /// - Parameter rendered: the picture of the same frame, 8 bits.
  init(_ map: FindingMap, over rendered: PixelBuffer, _ findings: [Finding]) {
    precondition(rendered.size == map.size && rendered.format == .rgba8, "a map of another picture")
    let told = Set(findings.map(\.id)), elsewhere = findings.count { $0.pass != map.pass }
    let counts = map.pixelCounts.filter { told.contains($0.key.findingId) }
    let kinds = FindingKind.allCases.filter { counts[$0] != nil }.enumerated().sorted { a, b in
      Self.rank(a.element, counts, a.offset) < Self.rank(b.element, counts, b.offset)
    }.map(\.element)
    let entries = (0..<map.size.pixelCount).map { pixel in kinds.firstIndex { map.has($0, at: pixel) } ?? -1 }
    var notes = kinds.isEmpty ? ["nothing happened in this pass"] : []
    if elsewhere > 0 { notes.append("\(elsewhere) finding\(elsewhere == 1 ? "" : "s") in other passes") }
    self.init(
      .findings, pass: map.pass, frame: map.frame, size: map.size, entries, kinds.map { ($0.findingId, FindingWords($0).color) },
      counts: kinds.map { counts[$0] ?? 0 }, over: rendered, notes: notes)
  }

  /// What is smaller is shown in front.
  private static func rank(_ kind: FindingKind, _ counts: [FindingKind: Int], _ position: Int) -> (Int, Int, Int) {
    (FindingSeverity.allCases.firstIndex(of: FindingWords(kind).severity) ?? 0, counts[kind] ?? 0, position)
  }
}

// MARK: numbers that are not finite

extension PictureMap {
  /// The most lines that have colors of their own.
  private static let lineCount = 12

  /// Where the first NaN or infinity of each pixel comes from: a color for each line, over a dark copy of the picture.
  ///
  /// - Parameter place: the author's place of a site.
  init(_ origins: OriginMap, over rendered: PixelBuffer, place: (WatchSite) -> SourceRange?) {
    let pixels = origins.pixels
    let texts = origins.sites.map { site in
      let word = site.isRead ? "read" : "first"
      return place(site).map { "\(word) at \($0.source.path):\($0.source.position(at: $0.range.lowerBound).line)" }
        ?? "\(word) in code that Etalon added"
    }
    var counts: [String: Int] = [:]
    for number in pixels.numbers where number > 0 { counts[texts[Int(number) - 1], default: 0] += 1 }
    let lines = counts.keys.sorted { (-(counts[$0] ?? 0), $0) < (-(counts[$1] ?? 0), $1) }
    var shown = lines.count > Self.lineCount ? Array(lines.prefix(Self.lineCount - 1)) : lines
    if shown.count < lines.count { shown.append("first or read at \(lines.count - shown.count) other lines") }
    let numbers = Dictionary(uniqueKeysWithValues: lines.enumerated().map { ($1, min($0, shown.count - 1)) })
    let entries = pixels.numbers.map { $0 == 0 ? -1 : numbers[texts[Int($0) - 1]] ?? -1 }
    let legend = zip(shown, Self.hues(shown.count)).map { (text: $0, color: $1) }
    self.init(
      .nan, pass: pixels.pass, frame: pixels.frame, size: pixels.size, entries, legend, over: rendered,
      notes: lines.isEmpty ? ["all numbers that are computed or read are finite"] : [])
  }

  /// Colors that are as different as so many can be.
  private static func hues(_ count: Int) -> [[UInt8]] {
    (0..<count).map { index in
      [0, 2, 4].map { offset in
        let turn = (Float(index) * 6 / Float(count) + Float(offset)).truncatingRemainder(dividingBy: 6)
        return UInt8((min(max(abs(turn - 3) - 1, 0), 1) * 255).rounded())
      }
    }
  }
}

// MARK: stability

extension PictureMap {
  /// The largest moves of the bands, in levels of 255.
  private static let limits: [Float] = [0.5, 1.5, 4, 16, 64]

  /// How far each pixel moves, by its channel that moves the farthest.
  package init(_ stability: StabilityMap) {
    let words = [
      "stays", "moves by 1 level of 255", "by up to 4 levels", "by up to 16 levels", "by up to 64 levels", "by more than 64 levels",
    ]
    let entries = (0..<stability.size.pixelCount).map { pixel in
      let levels = stability.largestChange(at: pixel) * 255
      return Self.limits.firstIndex { levels <= $0 } ?? Self.limits.count
    }
    let shown = (entries.max() ?? 0) + 1
    let legend = zip(words, Self.ramp(words.count)).prefix(shown).map { (text: $0, color: $1) }
    self.init(
      .stability, pass: stability.pass, frame: stability.frame, size: stability.size, entries, legend,
      notes: ["\(stability.runCount) runs with errors that devices may make, seed \(stability.seed)"])
  }
}

// MARK: instructions

extension PictureMap {
  private static let bandCount = 8

  /// How many operations on single numbers each pixel takes, in equal bands from the fewest to the most.
  init(operations: PixelNumbers) {
    let numbers = operations.numbers, least = Int(numbers.min() ?? 0), most = Int(numbers.max() ?? 0)
    let width = max((most - least + Self.bandCount) / Self.bandCount, 1)
    let entries = numbers.map { min((Int($0) - least) / width, Self.bandCount - 1) }
    let legend = zip(0..., Self.ramp(Self.bandCount)).map { band, color in
      let low = least + band * width, high = min(low + width - 1, most)
      return (text: low >= high ? "\(high) operations" : "\(low) to \(high) operations", color: color)
    }
    let used = (entries.max() ?? 0) + 1
    let mean = numbers.isEmpty ? 0 : numbers.reduce(0) { $0 + Int($1) } / numbers.count
    self.init(
      .instructions, pass: operations.pass, frame: operations.frame, size: operations.size, entries, Array(legend.prefix(used)),
      notes: ["\(mean) operations for a pixel on average"])
  }
}
