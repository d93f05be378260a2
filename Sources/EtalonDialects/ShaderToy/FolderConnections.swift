internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What the channels of a folder without `project.json` read.
///
/// In this order: directives of an editor extension (`#iChannel0 "file://bufferA.glsl"`), a `config.json`, a comment (`// iChannel0: Buffer A`), and the usual
/// way: `iChannel0` reads buffer A, `iChannel1` buffer B and so on, where there is such a buffer; a buffer reads itself so, too. Every other channel that a
/// text reads is an input of the user.
struct FolderConnections {
  private(set) var passes: [ShaderToyProject.Pass] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// What was connected because of names alone: `image.iChannel0 reads bufferA`.
  private var guessed: [String] = []

  private let files: PassFiles
  private let written: Set<ShaderToyProject.PassName>
  private let configuration: ViewerConfiguration?

  private static let buffers: [ShaderToyProject.PassName] = [.bufferA, .bufferB, .bufferC, .bufferD]

  init(_ texts: [(name: ShaderToyProject.PassName, text: SourceText)], in files: PassFiles, config: SourceText?) {
    self.files = files
    written = Set(texts.map(\.name).filter(\.isTarget))
    configuration = config.flatMap { ViewerConfiguration($0, beside: files) }
    diagnostics = configuration?.diagnostics ?? []
    let common = texts.filter { $0.name == .common }.map { Lexer.tokens(of: $0.text) }
    for (name, text) in texts {
      let tokens = Lexer.tokens(of: text)
      let isRead = name.isTarget || name == .image
      passes.append(.init(name: name, text: text, channels: isRead ? channels(of: name, text, tokens, common) : []))
    }
    guard !guessed.isEmpty else { return }
    diagnostics.append(
      Diagnostic(
        "shadertoy.connected", "by their names, \(guessed.joined(separator: ", ")); a 'project.json' can say otherwise", severity: .note))
  }

  private mutating func channels(
    of name: ShaderToyProject.PassName, _ text: SourceText, _ tokens: [Token], _ common: [[Token]]
  ) -> [ShaderToyProject.Channel] {
    let mentioned = Set((tokens + common.flatMap(\.self)).lazy.filter { $0.kind == .identifier }.map(\.text))
    let editor = EditorChannels(tokens)
    let comments = ChannelComments(tokens)
    return ShaderToyUniforms.channels.enumerated().compactMap { index, channel in
      let place = tokens.firstIndex { $0.isName(channel) }.flatMap { tokens.origin(of: [$0]) } ?? SourceRange(text, 0..<0)
      guard let (source, told) = source(index, of: name, editor, comments, isRead: mentioned.contains(channel)) else { return nil }
      let sampler = editor.sampler(of: channel, from: source.standardSampler)
      return ShaderToyProject.Channel(index: index, source: source, sampler: sampler, place: told ?? place)
    }
  }

  /// What a channel reads, and where that is said; nil for a picture of the user.
  private mutating func source(
    _ index: Int, of name: ShaderToyProject.PassName, _ editor: EditorChannels, _ comments: ChannelComments, isRead: Bool
  ) -> (ShaderToyProject.Source, SourceRange?)? {
    let channel = ShaderToyUniforms.channels[index]
    if let (_, pass, place) = editor.channelsOfPasses.first(where: { $0.name == channel }) {
      switch pass {
      case .own: return (.target(name), place)
      case .file(let path): return (self.pass(at: path, place).map { .target($0) } ?? .user(), place)
      }
    }
    if let input = editor.channel(channel, FilterReader.Options())?.input, case .file(let path, let place) = input.origin {
      return (.file(path, input.shape), place)
    }
    if let told = configuration?[name, channel] {
      if let found = resolved(told, of: name) { return found }
      diagnostics.report(
        "shadertoy.channel-source", "'\(channel)' of '\(name.rawValue)' reads '\(told.value)', which is not known here, so it is an input",
        severity: .warning, at: told.place, "neither a pass of the folder, nor a picture",
        help: ["write \"\(channel)\": \"BufferA\", or a picture's path"])
      return (.user(), told.place)
    }
    if let told = comments[channel], let found = resolved(told, of: name) { return found }
    guard isRead, name != .sound, written.contains(Self.buffers[index]) else { return nil }
    guessed.append("\(name.rawValue).\(channel) reads \(Self.buffers[index].rawValue)")
    return (.target(Self.buffers[index]), nil)
  }

  /// The pass in the file that a directive names; reports a file that is none of the folder's passes.
  private mutating func pass(at path: String, _ place: SourceRange?) -> ShaderToyProject.PassName? {
    let file = LooseProject.path(path, from: "")
    if let pass = files.pass(named: file), written.contains(pass), files[pass] == file { return pass }
    let isElsewhere = file.contains("/")
    let others = ShaderToyProject.PassName.allCases.compactMap { written.contains($0) ? files[$0] : nil }.map { "'\($0)'" }
    diagnostics.report(
      "shadertoy.missing-pass",
      isElsewhere ? "'\(path)' lies in another folder than this pass" : "the folder has no pass in a file '\(path)'", at: place, "no pass",
      help: [
        isElsewhere
          ? "name the file of the image instead of its folder, which follows its directives to other folders"
          : others.isEmpty ? "put the text of the pass into the folder" : "name one of \(others.joined(separator: ", "))"
      ])
    return nil
  }

  /// What words mean: a file beside those of the folder, a pass of the folder, the pass itself, the keyboard, what a player has, or a picture of the
  /// site by its title.
  private func resolved(_ told: Placed<String>, of name: ShaderToyProject.PassName) -> (ShaderToyProject.Source, SourceRange?)? {
    let words = told.value.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let path = told.value.split { $0 == " " || $0 == "," || $0 == "(" }.first.map(String.init) ?? ""
    if EditorChannels.isFile(path) { return (.file(path.hasPrefix("./") ? String(path.dropFirst(2)) : path, .flat), told.place) }
    if let target = target(in: words) { return (.target(target), told.place) }
    if ["self", "itself", "feedback"].contains(words.first ?? ""), name.isTarget { return (.target(name), told.place) }
    if words.first == "keyboard" { return (.keyboard, told.place) }
    if let source = ShaderToyProject.Source(kind: words.first ?? "") { return (source, told.place) }
    return ShaderToyAssets.entry(title: told.value).map { (.asset($0.asset, $0.shape), told.place) }
  }

  /// The first pass among words, in one of them or in two: `bufferA`, `previous Buffer B`.
  private func target(in words: [String]) -> ShaderToyProject.PassName? {
    let pairs = zip(words, words.dropFirst()).map { $0 + $1 }
    let all = words.indices.flatMap { index in (index < pairs.count ? [pairs[index]] : []) + [words[index]] }
    return all.lazy.filter { !["buffer", "buf", "cube", "cubemap", "image", "common"].contains($0) }.compactMap(target).first
  }

  private func target(named text: String) -> ShaderToyProject.PassName? {
    files.pass(named: text).flatMap { written.contains($0) ? $0 : nil }
  }
}

/// Comments that say what channels read: `// iChannel0: Buffer A`, `iChannel1 = texture.png`.
private struct ChannelComments {
  private var told: [String: Placed<String>] = [:]

  init(_ tokens: [Token]) {
    for token in tokens where token.kind == .comment {
      guard let origin = token.origin else { continue }
      let bytes = origin.source.bytes
      var start = origin.range.lowerBound
      for line in bytes[origin.range].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        defer { start += line.count + 1 }
        guard let (channel, text) = Self.parse(String(decoding: line, as: UTF8.self)), told[channel] == nil else { continue }
        told[channel] = Placed(text, at: SourceRange(origin.source, start..<start + line.count))
      }
    }
  }

  subscript(channel: String) -> Placed<String>? { told[channel] }

  private static func parse(_ line: String) -> (String, String)? {
    guard let match = line.firstMatch(of: /^[\/*\s-]*(?i:ichannel)([0-3])\s*(?:[:=]|<-|->|-)\s*(\S.*)$/) else { return nil }
    return ("iChannel\(match.1)", String(match.2))
  }
}

/// The `config.json` of viewers that keep what channels read beside the passes: `{"Image": {"iChannel0": "BufferA"}}`.
///
/// Other keys are those of the viewer and mean nothing here; a file without passes is of another program.
struct ViewerConfiguration {
  static let fileName = "config.json"

  private var told: [ShaderToyProject.PassName: [String: Placed<String>]] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Nil for a file of another program.
  init?(_ source: SourceText, beside files: PassFiles) {
    let reading = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source)
    guard let members = reading.value?.members else { return nil }
    for member in members {
      guard let pass = files.pass(named: member.key), let channels = member.value.members else { continue }
      for channel in channels where ShaderToyUniforms.channels.contains(channel.key) { add(channel, of: pass) }
    }
    guard !told.isEmpty || !diagnostics.isEmpty else { return nil }
  }

  subscript(pass: ShaderToyProject.PassName, channel: String) -> Placed<String>? { told[pass]?[channel] }

  private mutating func add(_ channel: LocatedJSON.Member, of pass: ShaderToyProject.PassName) {
    if case .string(let text) = channel.value.content {
      told[pass, default: [:]][channel.key] = Placed(text, at: channel.value.place)
      return
    }
    let known = ["buffer", "texture", "keyboard", "file"]
    guard let member = channel.value.members?.first(where: { known.contains($0.key) }) else {
      diagnostics.report(
        "shadertoy.channel-source", "'\(channel.key)' of '\(pass.rawValue)' reads what is not known here, so it is an input",
        severity: .warning, at: channel.value.place, "not understood", help: ["write \"\(channel.key)\": \"BufferA\", or a picture's path"])
      return
    }
    if case .string(let text) = member.value.content { told[pass, default: [:]][channel.key] = Placed(text, at: member.value.place) }
    if case .bool(true) = member.value.content { told[pass, default: [:]][channel.key] = Placed(member.key, at: member.value.place) }
  }
}
