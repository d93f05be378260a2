package import EtalonGraph
internal import EtalonMedia
internal import Foundation

extension StageParser {
  /// Reads stages whose files lie in the file system: what a file is, its content says.
  ///
  /// - Parameter folder: what relative paths start from, with a slash at its end; empty is the working folder.
  package init(folder: String = "") {
    let located = { @Sendable (path: String) in path.hasPrefix("/") ? path : folder + path }
    self.init { path in
      if let pattern = try? FramePattern(path), pattern.hasNumber { return true }
      let start = FileReader.start(of: located(path), count: 64)
      if start.isEmpty { return ["png", "jpg", "jpeg", "wav"].contains(URL(filePath: path).pathExtension.lowercased()) }
      return PictureReader.kind(of: start) != nil || WAVReader.recognizes(start)
    } isFile: {
      FileManager.default.fileExists(atPath: located($0))
    }
  }

  /// Whether arguments are more than one word for a filter: several stages, or a stage with settings.
  package static func isNeeded(for arguments: [String]) -> Bool {
    guard let argument = arguments.first, arguments.count == 1 else { return true }
    return argument.contains(" ") && !FileManager.default.fileExists(atPath: argument)
  }
}

extension RenderRequest {
  /// The pictures and sequences that are read, as far as they are known before anything is loaded.
  package var namedPictures: [InputPicture] {
    guard case .graph(let text, _) = subject else { return inputs }
    return text.fileNames.compactMap { name in
      let path = name.hasPrefix("/") ? name : text.folder + name
      return try? InputText.picture(path, for: nil, option: name)
    }
  }

  /// The files that are known before anything is loaded, as paths that can be watched; nil where standard input is among them.
  package var namedFiles: [String]? {
    let pictures = namedPictures.filter { $0.sequence == nil }.map(\.path)
    switch subject {
    case .filter(.standardInput): return nil
    case .filter(.file(let path)): return [path] + pictures
    case .graph(let text, _):
      if text.nodes.contains(where: { $0.filter.text == "-" }) { return nil }
      let filters = text.nodes.map(\.filter.text).filter { $0.contains("/") || $0.contains(".") }
      return text.documents + filters.map { $0.hasPrefix("/") ? $0 : text.folder + $0 } + pictures
    }
  }
}

extension GraphText {
  /// What it names as pictures, and the values that could be some.
  fileprivate var fileNames: [String] {
    let origins = Array(inputs.values) + nodes.flatMap { $0.inputs.map(\.origin) } + outputs.map(\.origin)
    let files = origins.compactMap { if case .file(let word, _) = $0 { word.text } else { nil } }
    return files + nodes.flatMap(\.settings).compactMap(\.value.scalar).filter(Self.mayBeFile)
  }

  /// Numbers and expressions have dots, too.
  private static func mayBeFile(_ value: String) -> Bool {
    value.contains(".") && !value.hasPrefix("(") && !value.split(separator: ",").allSatisfy { Double($0) != nil }
  }
}
