package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Glibc

/// Writes the folder of a new filter: a commented text, a test case, and the pictures that the case needs.
package struct NewFilter: Sendable {
  private let template: FilterTemplate
  private let name: String
  private let folder: String

  /// Checks the name, which has to be one that libraries can offer.
  ///
  /// - Parameter parent: the folder that the filter's own folder is put into; empty for the working folder.
  package init(_ template: FilterTemplate, named name: String, in parent: String) throws(DiagnosticsError) {
    guard FilterName.isName(name) else { throw DiagnosticsError(Self.noName(name)) }
    self.template = template
    self.name = name
    folder = parent.isEmpty ? name : parent.hasSuffix("/") ? parent + name : "\(parent)/\(name)"
  }

  /// The path of the filter file.
  package var path: String { "\(folder)/\(name).\(template.fileExtension)" }

  /// Writes everything and returns the paths; refuses a folder that is there already.
  package func write() throws(RenderError) -> [String] {
    var files = [("\(name).\(template.fileExtension)", Array(template.text.utf8)), ("tests/default.json", Array(caseText.utf8))]
    for (index, input) in template.inputs.enumerated() {
      files.append(("tests/\(input).png", try TestPicture(turned: index > 0).png()))
    }
    try NewFolder(folder).write(files, otherwise: "give the filter another name, or type '--folder' and where its folder is to be made")
    return files.map { "\(folder)/\($0.0)" }
  }

  /// A case with the defaults of all parameters; its reference is still to be recorded.
  private var caseText: String {
    let inputs = template.inputs.map { "\"\($0)\": \"\($0).png\"" }.joined(separator: ", ")
    let size = template.inputs.isEmpty ? ",\n  \"size\": \"64x64\"" : ",\n  \"inputs\": { \(inputs) }"
    return "{\n  \"filter\": \"\(name)\"\(size),\n  \"values\": {},\n  \"frames\": [0],\n  \"reference\": \"default.png\"\n}\n"
  }

  private static func noName(_ name: String) -> Diagnostic {
    let help = FilterName.kebabCase(name).map { "type '\($0)'" } ?? "type a name such as 'soft-glow'"
    return Diagnostic(
      "library.name", "'\(name)' is no name of a filter", help: [help], notes: ["names have small letters, digits and hyphens"])
  }
}

// MARK: a picture for its tests

/// A small picture to try filters on: a gradient of colors with a checkerboard, and a quarter that fades out.
private struct TestPicture {
  private static let size = Size(64, 64)

  private let isTurned: Bool

  /// - Parameter turned: whether the colors run the other way, for a second picture beside the first.
  init(turned: Bool) { isTurned = turned }

  /// The bytes of its file.
  func png() throws(RenderError) -> [UInt8] {
    let file = MemorySink()
    try PNGEncoder(PNGSettings(.small)).encode(picture, to: file)
    return file.bytes
  }

  var picture: PixelBuffer {
    var bytes: [UInt8] = []
    for row in 0..<Self.size.height {
      for column in 0..<Self.size.width { bytes += pixel(column, row) }
    }
    return PixelBuffer(size: Self.size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func pixel(_ column: Int, _ row: Int) -> [UInt8] {
    let ramp = UInt8(isTurned ? 252 - 4 * column : 4 * column)
    let isLight = (column / 8 + row / 8).isMultiple(of: 2)
    let alpha = column >= 32 && row >= 32 ? UInt8(255 - 8 * (row - 32)) : 255
    return [ramp, UInt8(4 * row), isLight ? 224 : 32, alpha]
  }
}

// MARK: folders

/// A folder that appears with all its files or not at all.
struct NewFolder {
  private let path: String

  /// Names a folder that must not exist yet.
  init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// Writes the files, some perhaps in folders of their own, into a folder beside the place of this one, and renames it.
  ///
  /// - Parameter otherwise: what to do where the folder is there already.
  func write(
    _ files: [(name: String, bytes: [UInt8])], otherwise: String = "name another folder, or remove this one"
  ) throws(RenderError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw failure(nil, "it exists already", help: [otherwise]) }
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    guard let draft = TemporaryFiles.makeFolder(for: path) else {
      let code = errno
      throw failure(
        "mkdir", unsafe String(cString: strerror(code)),
        help: code == ENOENT ? ["make the folder around it first: mkdir -p '\(parent)'"] : [])
    }
    do {
      for file in files {
        let url = URL(fileURLWithPath: draft + "/" + file.name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
    } catch {
      TemporaryFiles.remove(draft)
      throw failure(nil, error.localizedDescription, help: [])
    }
    guard unsafe rename(draft, path) == 0 else {
      let code = errno
      TemporaryFiles.remove(draft)
      throw failure("rename", unsafe String(cString: strerror(code)), help: [])
    }
    TemporaryFiles.release(draft)
  }

  private func failure(_ operation: String?, _ reason: String, help: [String]) -> RenderError {
    RenderError(.cannotWrite, "cannot write '\(path)'", operation: operation, underlying: reason, help: help)
  }
}
