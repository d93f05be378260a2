internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// The file that a frame is compared with on a device: the one for the device, for its driver, for its backend, or for all.
struct StoredPicture {
  private static let largestFile = 1 << 28

  let path: String
  private let hash: GraphText.Word?

  /// Nil when none of them is there.
  init?(_ picture: ReferenceRule.Picture, _ number: Int, on device: TestDevice) {
    let special = device.referenceKeys.map { picture.path(number, for: $0) }
    guard let path = (special + [picture.path(number)]).first(where: { FileManager.default.fileExists(atPath: $0) }) else { return nil }
    self.path = path
    // The hash is that of the picture for all devices.
    hash = path == picture.path(number) ? picture.hash : nil
  }

  /// Whether some bytes are what Git keeps in the place of a large file.
  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("version https://git-lfs".utf8)) }

  func read() throws(RenderError) -> PixelBuffer {
    let bytes = try FileReader.bytes(of: path, limit: Self.largestFile)
    if Self.isPointer(bytes) {
      throw RenderError(
        .invalidInput, "'\(path)' is a Git LFS pointer, not the picture itself: 'git lfs pull' gets it", help: ["type 'git lfs pull'"])
    }
    if let hash, ContentHash(of: bytes).description != hash.text.lowercased() {
      throw RenderError(
        .invalidInput,
        "'\(path)' is another file than the case says: its hash begins with \(ContentHash(of: bytes).description.prefix(12))",
        help: ["get the right file, or write its hash: sha256sum '\(path)'"])
    }
    return try PictureReader(acceptsFloats: true).read(bytes, name: path)
  }
}

extension NamedFiles {
  /// Whether a path is that of a picture for some devices, beside the one for all: `soft@llvmpipe.png` beside `soft.png`.
  static func isSpecial(_ path: String, of common: String) -> Bool {
    guard let dot = common.lastIndex(of: ".") else { return false }
    return path.hasPrefix("\(common[..<dot])@") && path.hasSuffix(common[dot...])
  }
}
