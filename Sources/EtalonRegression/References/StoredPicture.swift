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
    let common = picture.path(number)
    if let special = Self.special(common, for: device.referenceKeys) {
      // The hash is that of the picture for all devices.
      (path, hash) = (special, nil)
    } else {
      guard FileManager.default.fileExists(atPath: common) else { return nil }
      (path, hash) = (common, picture.hash)
    }
  }

  /// Whether the CPU device recorded a picture: the file says so.
  static func isOfCPU(_ path: String) -> Bool { device(of: path).map(FrameOrigins.isCPU) ?? false }

  /// Whether the CPU device may have recorded a picture: the file says so or, where it says nothing, its name is for all devices.
  static func mayBeOfCPU(_ path: String) -> Bool { device(of: path).map(FrameOrigins.isCPU) ?? (ReferenceKey.split(path) == nil) }

  /// What a file says about who recorded it; nil where `etalon render` wrote it, or another program.
  private static func device(of path: String) -> String? { (try? FrameProvenance(ofFile: path))?.origins[FrameOrigins.deviceKey] }

  /// The picture beside the one for all devices that the first of some keys has, however its name is spelled.
  private static func special(_ common: String, for keys: [ReferenceKey]) -> String? {
    let folder = FolderPath.parent(of: common)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = names.filter { $0.contains("@") }.sorted().map { FolderPath.join(folder, $0) }
    let special = paths.compactMap { path in
      ReferenceKey.split(path).flatMap { NamedFiles.plain($0.common) == NamedFiles.plain(common) ? (path, $0.key) : nil }
    }
    return keys.lazy.compactMap { key in special.first { $0.1 == key }?.0 }.first
  }

  /// Whether some bytes are what Git keeps in the place of a large file.
  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.starts(with: pointerStart) }

  /// The same of a file, which may not be there.
  static func isPointer(at path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return isPointer([UInt8]((try? file.read(upToCount: pointerStart.count)) ?? Data()))
  }

  private static let pointerStart = Array("version https://git-lfs".utf8)

  func read() throws(RenderError) -> PixelBuffer {
    let bytes = try FileReader.bytes(of: path, limit: Self.largestFile)
    if Self.isPointer(bytes) {
      throw RenderError(
        .invalidInput, "'\(path)' is a Git LFS pointer, not the picture itself: 'git lfs pull' gets it", help: ["type 'git lfs pull'"])
    }
    if let hash, ContentHash(of: bytes).description != hash.text.lowercased() {
      let own = ContentHash(of: bytes)
      throw RenderError(
        .invalidInput, "'\(path)' is another file than the case says: get the right one, or write 'sha256: \(own)', which is its hash",
        help: ["'sha256sum \(path)' prints the hash of a file"])
    }
    let picture = try PictureReader().read(bytes, name: path)
    // The extension decides whether limits are those of levels or of floats.
    let isNamedFloat = path.lowercased().hasSuffix(".exr")
    guard picture.format.isFloat == isNamedFloat else {
      throw RenderError(
        .invalidInput, "'\(path)' is \(isNamedFloat ? "no OpenEXR file" : "an OpenEXR file by another name")",
        help: ["give it the name of what it holds"])
    }
    return picture
  }
}
