internal import EtalonTypes

/// What the header of an OpenEXR file says about its one picture, by "OpenEXR File Layout" of the Academy Software Foundation.
struct EXRHeader: Equatable {
  /// The attribute in which Etalon says what alpha means, where that is not what the format has by convention.
  static let alphaAttribute = "etalon:alpha"

  /// How the numbers of a channel lie in the file.
  enum SampleType: Int {
    case whole = 0
    case half = 1
    case float = 2

    var byteCount: Int { self == .half ? 2 : 4 }
  }

  struct Channel: Equatable {
    let name: String
    let type: SampleType
  }

  /// Without loss; the lossy kinds and PIZ are refused by name.
  enum Compression: Int, CaseIterable {
    case none = 0
    case runLength = 1
    case zipLine = 2
    case zip = 3

    /// How many rows are packed together.
    var rowCount: Int { self == .zip ? 16 : 1 }

    /// The names of all kinds that files may have, in the order of their numbers.
    static let names = ["NONE", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"]
  }

  /// Columns and rows with both ends, rows from the top on.
  struct Window: Equatable {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>
  }

  /// In alphabetical order, as their numbers lie in every row.
  let channels: [Channel]
  let compression: Compression
  /// The pixels that the file has.
  let data: Window
  /// The pixels that are shown; those without data are transparent black.
  let display: Window
  /// What alpha means: by convention color is multiplied by it.
  let alpha: AlphaMode

  var bytesPerRow: Int { channels.reduce(0) { $0 + $1.type.byteCount } * data.columns.count }
}

/// Why a file cannot be read.
struct EXRProblem: Error, Equatable {
  let reason: String
  let help: String

  init(_ reason: String, help: String = "write it again: oiiotool in.exr --compression zip -o out.exr") {
    (self.reason, self.help) = (reason, help)
  }

  static let cutShort = EXRProblem("it is cut short", help: "copy or render it again")
}
