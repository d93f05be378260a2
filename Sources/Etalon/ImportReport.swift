internal import EtalonManifest
internal import EtalonTypes

/// Says what an import wrote, and what a person has to bring.
struct ImportReport {
  private let project: ShaderToyProject
  private let folder: String
  private let files: [String]

  init(_ project: ShaderToyProject, folder: String, files: [String]) {
    self.project = project
    self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.files = files
  }

  /// One fact a line, ending in a newline.
  var text: String {
    var lines = ["wrote \(folder): \(files.joined(separator: ", "))"]
    lines += project.runningOrder.flatMap { pass in pass.channels.sorted { $0.index < $1.index }.compactMap { need($0, of: pass.name) } }
    lines += project.parameters.map(parameter)
    return lines.map { $0 + "\n" }.joined()
  }

  /// What one channel needs from outside; nil when it needs nothing.
  private func need(_ channel: ShaderToyProject.Channel, of pass: ShaderToyProject.PassName) -> String? {
    let name = pass == .image ? channel.name : "\(pass.rawValue).\(channel.name)"
    switch channel.source {
    case .target, .unsupported: return nil
    case .sound: return "needs \(name): a sound of yours, --input \(name)=song.wav"
    case .user: return "needs \(name): a picture of yours, --input \(name)=photo.jpg"
    case .file(let path, _): return "reads \(name): '\(path)', which was copied"
    case .keyboard: return "reads \(name): the keyboard"
    case .asset(let asset, let shape):
      let title = asset.title.map { "'\($0)', " } ?? ""
      let size = asset.size.map { ", \($0)" } ?? ""
      return "needs \(name): \(title)\(shape == .cube ? "a cube, " : "")the file '\(asset.fileName)'\(size), --assets FOLDER"
    }
  }

  private func parameter(_ parameter: ExposedConstant) -> String {
    func text(_ bound: [Double]) -> String { bound.map { ValueConversion.plainText(Value(.float, [$0])) }.joined(separator: ",") }
    switch (parameter.minimum, parameter.maximum) {
    case (let low?, let high?): return "parameter \(parameter.name): from \(text(low)) to \(text(high))"
    case (let low?, nil): return "parameter \(parameter.name): at least \(text(low))"
    case (nil, let high?): return "parameter \(parameter.name): at most \(text(high))"
    case (nil, nil): return "parameter \(parameter.name)"
    }
  }
}
