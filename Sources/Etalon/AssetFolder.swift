internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// A folder of the user with the pictures that a player's site offers to its shaders.
///
/// A picture is found by the name of its file on the site or by its title: `8de3a392….jpg`, `London.png`, `rgba-noise-medium.png`. The six faces of a cube have
/// one of these names each, the first one bare or with `_0`, the others with `_1` to `_5`.
struct AssetFolder {
  private let path: String
  /// The files of the folder by their comparable names.
  private let files: [String: String]

  /// Lists a folder.
  init(_ path: String) throws(RenderError) {
    self.path = path
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw RenderError(
        .missingInput, "cannot read the folder '\(path)', which '--assets' names", underlying: "no such folder",
        help: ["name the folder that holds the pictures"])
    }
    let pictures = names.sorted().filter { name in ["png", "jpg", "jpeg"].contains((name as NSString).pathExtension.lowercased()) }
    files = Dictionary(pictures.map { (Self.key(($0 as NSString).deletingPathExtension), $0) }) { first, _ in first }
  }

  /// The picture of an input: for a cube its six faces, stacked; nil when the folder does not have it.
  func picture(_ asset: FilterInput.Asset, for input: FilterInput) throws -> PixelBuffer? {
    let stems = [(asset.fileName as NSString).deletingPathExtension, asset.title].compactMap(\.self)
    let isRedOnly = ShaderToyAssets.entry(path: asset.id)?.isRedOnly ?? false
    for stem in stems {
      if input.shape == .cube {
        if let faces = try faces(stem) { return try stacked(faces) }
      } else if let file = files[Self.key(stem)] {
        let picture = try read(file)
        return isRedOnly ? picture.redOnly : picture
      }
    }
    return nil
  }

  /// Titles are compared by their letters and digits alone.
  private static func key(_ name: String) -> String {
    let parts = name.lowercased().split(separator: "_", omittingEmptySubsequences: false)
    let isFace = parts.count > 1 && parts.last.map { $0.count == 1 && $0.allSatisfy(\.isNumber) } ?? false
    let stem = (isFace ? parts.dropLast() : parts[...]).joined().filter { $0.isLetter || $0.isNumber }
    return isFace ? "\(stem)_\(parts.last ?? "")" : stem
  }

  private func read(_ file: String) throws(RenderError) -> PixelBuffer { try PictureReader().read(path: path + "/" + file) }

  // MARK: cubes

  /// The files of the six faces; nil when there is not even the first.
  private func faces(_ stem: String) throws(RenderError) -> [String]? {
    guard let first = files[Self.key(stem)] ?? files[Self.key(stem + "_0")] else { return nil }
    let others = (1...5).map { (stem + "_\($0)", files[Self.key(stem + "_\($0)")]) }
    let missing = others.filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty else {
      throw RenderError(
        .missingInput, "the cube '\(first)' in '\(path)' lacks faces", underlying: "no \(missing.joined(separator: ", "))",
        help: ["put the six pictures of the cube into the folder"])
    }
    return [first] + others.compactMap(\.1)
  }

  private func stacked(_ files: [String]) throws(RenderError) -> PixelBuffer {
    var faces: [PixelBuffer] = []
    for file in files { faces.append(try read(file)) }
    guard let stack = CubePicture.stacked(faces) else {
      throw RenderError(
        .invalidInput, "the faces of the cube '\(files[0])' in '\(path)' do not fit each other",
        underlying: faces.map { "\($0.size)" }.joined(separator: ", "), help: ["all six are squares of one size and depth"])
    }
    return stack
  }
}

extension PixelBuffer {
  /// The first channel alone, which a text reads with 0 for green and blue.
  fileprivate var redOnly: PixelBuffer {
    let step = format.bytesPerPixel
    let isWide = format.bytesPerChannel == 2
    var red: [UInt8] = []
    red.reserveCapacity(size.pixelCount * format.bytesPerChannel)
    for pixel in stride(from: 0, to: bytes.count, by: step) { red += bytes[pixel..<pixel + format.bytesPerChannel] }
    return PixelBuffer(size: size, format: isWide ? .r16 : .r8, alpha: .opaque, bytes: red)
  }
}
