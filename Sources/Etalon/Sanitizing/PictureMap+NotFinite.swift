internal import EtalonCPU
internal import EtalonManifest
internal import EtalonTypes

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
