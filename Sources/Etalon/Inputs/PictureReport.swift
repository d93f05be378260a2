internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// What a picture is, and what its numbers are taken to be (`etalon describe photo.tif`).
///
/// **Concurrency**: an immutable value.
package struct PictureReport: Sendable, Encodable {
  package let path: String
  package let format: String
  /// How the file stores it, such as `deflate` and `strips`.
  package let storage: [String]
  /// The size of the picture as it is shown: upright.
  package let size: String
  /// 1 to 8 as in Exif; 1 is upright.
  package let orientation: Int
  /// The channels in the file, such as `RGBA`.
  package let channels: String
  /// Bits of a sample in the file.
  package let bits: Int
  package let isFloat: Bool
  /// `opaque`, `straight` or `premultiplied`.
  package let alpha: String
  package let pages: Int
  /// What the file says about its colors; nil where it says nothing.
  package let said: String?
  /// What its numbers are read as: `srgb` or `linear`.
  package let space: String
  /// Why they are read so.
  package let reason: String
  /// What is in the file and is not read, in sentences.
  package let notes: [String]

  /// Whether a text names a picture that inputs of filters take, perhaps with its space or its layer behind a comma.
  package static func isPicture(_ text: String) -> Bool {
    PictureReader.reads(FileReader.start(of: InputText.path(text, exists: FileManager.default.fileExists(atPath:)), count: 64))
  }

  /// Reads a picture; throws what is wrong with it.
  ///
  /// - Parameter text: a path, perhaps with `,space=linear` behind it.
  package init(_ text: String) throws {
    let given = try InputText.picture(text, for: nil, option: "describe")
    let reading = try PictureReader(given.choice).reading(path: given.path)
    let (picture, facts) = (reading.picture, reading.facts)
    path = given.path
    (format, storage, channels, bits) = (facts.format, facts.storage, facts.channels, facts.bits)
    (size, orientation, pages) = ("\(picture.size)", facts.orientation, facts.pages)
    (isFloat, alpha) = (picture.format.isFloat, picture.alpha.rawValue)
    said = facts.color
    space = (picture.isLight ? PictureSpace.linear : .srgb).rawValue
    reason =
      given.choice.space.map { "'space=\($0.rawValue)' says so" }
      ?? (picture.isLight
        ? "\(facts.format) files hold light; 'space=srgb' behind the name says that numbers are encoded"
        : "numbers of \(facts.format) files are not converted; 'space=linear' behind the name says that they are light")
    notes = facts.notes(given.path).map(\.message)
  }

  /// The report for people, line by line; ends in a newline.
  package var text: String {
    var lines = ["\(path)  a picture, \(([format] + storage).joined(separator: ", "))"]
    func add(_ name: String, _ value: String) { lines.append("  " + name.padding(toLength: 12, withPad: " ", startingAt: 0) + value) }
    add("size", orientation == 1 ? size : "\(size), turned upright, orientation \(orientation)")
    add("pixels", "\(channels), \(bits) bits\(isFloat ? ", floating-point numbers" : "")")
    add("alpha", alpha)
    if let said { add("says", said) }
    add("space", "\(space): \(reason)")
    for note in notes { add("note", note) }
    return lines.map { $0 + "\n" }.joined()
  }
}
