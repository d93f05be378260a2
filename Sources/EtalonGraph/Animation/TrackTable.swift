package import EtalonDiagnostics
package import EtalonManifest
package import EtalonTypes

/// The rows of a CSV file: a column `time` (seconds) or `frame` (numbers, as `--frames` counts), and named columns of numbers.
///
/// ```
/// frame, x, y
/// 1001,  0.25, 0.5
/// 1002,  0.26, 0.5
/// 1003,  ,             an empty cell is a gap
/// ```
/// Blank lines and lines that begin with `#` say nothing; rows come in the order of their times.
package struct TrackTable: Sendable {
  /// One number of a column, with its place; nil is a gap.
  package struct Cell: Sendable {
    package let number: Double?
    package let range: Range<Int>
  }

  /// When the rows are.
  package enum Times: Sendable {
    case seconds([Rational])
    case frames([Rational])
  }

  package let source: SourceText
  package let digest: ContentHash
  package let times: Times
  /// The cells of every column, one for each row.
  package let columns: [String: [Cell]]

  /// Reads a table; everything that is wrong with it is reported together.
  package init(_ source: SourceText) throws(DiagnosticsError) {
    var reader = TrackReader(source)
    reader.read()
    guard reader.diagnostics.isEmpty else { throw DiagnosticsError(reader.diagnostics) }
    self.source = source
    digest = ContentHash(of: source.bytes)
    times = reader.countsFrames ? .frames(reader.times) : .seconds(reader.times)
    columns = reader.columns
  }

  package var rowCount: Int {
    switch times {
    case .seconds(let times), .frames(let times): times.count
    }
  }
}

/// Hands out the tables that values mention, by the paths that they were written with.
package protocol TrackFiles: Sendable {
  /// The table of a file; what is wrong with the file is told in its own text, what is wrong with the path at its place.
  func table(_ path: String, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable
}
