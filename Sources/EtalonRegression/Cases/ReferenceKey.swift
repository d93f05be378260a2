internal import EtalonDiagnostics

/// What stands behind `@` in the name of a reference: the device, the driver or the backend that it is for.
///
/// Only letters and digits count, and capitals do not: `soft@LLVMpipe (LLVM 15.0.6, 256 bits).png` is for the device of that name.
package struct ReferenceKey: Sendable, Hashable {
  /// Words of small letters and digits, with single dashes between them.
  package let text: String

  /// Nil for a text without letters and digits.
  package init?(_ text: String) {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: "-")
  }

  /// The key in the name of a special picture, and the path of the picture for all devices; nil for other paths.
  static func split(_ path: String) -> (common: String, key: ReferenceKey)? {
    guard let at = path.lastIndex(of: "@"), let dot = path[at...].lastIndex(of: "."), !path[at...].contains("/"),
      let key = ReferenceKey(String(path[path.index(after: at)..<dot]))
    else {
      return nil
    }
    return (String(path[..<at] + path[dot...]), key)
  }

  /// The backends, and how the names of drivers and devices begin that Vulkan knows.
  private static let knownWords: [String] =
    TestDevice.backends + [
      "adreno", "amd", "apple", "arm", "asahi", "broadcom", "dozen", "etalon", "geforce", "honeykrisp", "imagination", "intel", "lavapipe",
      "llvmpipe",
      "mali", "mesa", "microsoft", "moltenvk", "nvidia", "nvk", "panvk", "powervr", "qualcomm", "quadro", "radeon", "radv", "rtx",
      "samsung",
      "swiftshader", "tegra", "tesla", "turnip", "v3d", "v3dv", "venus", "verisilicon", "virtio", "vivante", "xclipse",
    ]

  /// Whether it looks like the name of a device: it begins as drivers and devices do.
  var isPlausible: Bool { text.split(separator: "-").first.map { Self.knownWords.contains(String($0)) } ?? false }

  /// The word that was probably meant.
  var nearest: String? { text.split(separator: "-").first.flatMap { NearestName.find(String($0), in: Self.knownWords) } }
}
