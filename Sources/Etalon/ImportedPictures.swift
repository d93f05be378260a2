internal import EtalonDiagnostics
internal import EtalonManifest

/// The pictures and sounds beside a loose file that its channels name: they go with it into its folder.
struct ImportedPictures {
  /// The project, whose channels name the copies.
  let project: ShaderToyProject
  /// The copies by their paths in the new folder, each once.
  let files: [(name: String, bytes: [UInt8])]

  private static let largestFile = 1 << 28

  /// Reads them; what cannot be copied is thrown together.
  init(_ project: ShaderToyProject, from folder: FolderFiles) throws(DiagnosticsError) {
    var files: [(name: String, bytes: [UInt8])] = []
    var mistakes: [Diagnostic] = []
    func copied(_ channel: ShaderToyProject.Channel) -> ShaderToyProject.Channel {
      guard case .file(let written, let shape) = channel.source else { return channel }
      let name = Self.normal(written)
      do throws(FileProblem) {
        if !files.contains(where: { $0.name == name }) { files.append((name, try folder.bytes(at: name, atMost: Self.largestFile))) }
      } catch {
        mistakes.append(Self.mistake(written, channel, error))
      }
      return ShaderToyProject.Channel(
        index: channel.index, source: .file(name, shape), sampler: channel.sampler, isFlipped: channel.isFlipped, place: channel.place)
    }
    let passes = project.passes.map { pass in
      ShaderToyProject.Pass(name: pass.name, text: pass.text, channels: pass.channels.map(copied), place: pass.place)
    }
    if !mistakes.isEmpty { throw DiagnosticsError(mistakes.inOrderOfPlaces) }
    self.files = files
    self.project = ShaderToyProject(title: project.title, about: project.about, passes: passes, parameters: project.parameters)
  }

  /// The path without steps that lead nowhere: `sub/../photo.png` is `photo.png`.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func mistake(_ path: String, _ channel: ShaderToyProject.Channel, _ problem: FileProblem) -> Diagnostic {
    let why =
      switch problem {
      case .missing: "not found"
      case .outside: "leads out of the folder"
      case .tooLarge: "larger than \(largestFile >> 20) MiB"
      case .unreadable(let reason): reason
      }
    return Diagnostic(
      "import.file", "cannot copy '\(path)', which '\(channel.name)' reads",
      labels: [.init(channel.place.source, channel.place.range, why)],
      help: ["put it beside the shader and name it as it is called there, or remove the line: the channel is then an input"])
  }
}
