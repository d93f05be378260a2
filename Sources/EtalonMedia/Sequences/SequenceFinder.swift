import EtalonDiagnostics

/// Finds out which sequences a path means.
enum SequenceFinder {
  static func patterns(for path: String) throws(RenderError) -> [FramePattern] {
    switch FileKind(path: path) {
    case .folder: try patterns(inFolder: path)
    case .regular, .device: [try pattern(ofFrame: path)]
    case .missing: [try pattern(typed: path)]
    }
  }

  private static func patterns(inFolder path: String) throws(RenderError) -> [FramePattern] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    var found: [FramePattern] = []
    for name in try FolderListing.names(in: folder) where isPicture(name) {
      guard !found.contains(where: { $0.frame(ofName: name) != nil }) else { continue }
      if let pattern = try FramePattern(frameAt: folder + name) { found.append(pattern) }
    }
    guard !found.isEmpty else {
      throw RenderError(.missingInput, "no frames in '\(path)'", help: ["frames are PNG or JPEG files with a number in their name"])
    }
    return found
  }

  static func isPicture(_ name: String) -> Bool {
    let lowercased = name.lowercased()
    return !name.hasPrefix(".") && [".png", ".jpg", ".jpeg"].contains { lowercased.hasSuffix($0) }
  }

  private static func pattern(ofFrame path: String) throws(RenderError) -> FramePattern {
    guard let pattern = try FramePattern(frameAt: path) else {
      throw RenderError(.invalidInput, "'\(path)' has no frame number in its name", help: ["name a pattern such as 'name.####.png'"])
    }
    return pattern
  }

  private static func pattern(typed text: String) throws(RenderError) -> FramePattern {
    guard let pattern = try? FramePattern(text), pattern.hasNumber else {
      throw RenderError(
        .missingInput, "cannot read '\(text)'", operation: "stat", underlying: systemErrorText(2),
        help: ["a pattern has a place for the frame number: 'name.####.png'"])
    }
    return pattern
  }
}
