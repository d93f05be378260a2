internal import EtalonDiagnostics
internal import EtalonGLSL

/// The textures that the code of a pass reads when it runs; functions that are never called do not count.
struct PassReads {
  private let pass: PassSource
  private let mentioned: Set<String>

  /// - Parameter tokens: of the pass's text; nil reads it.
  init(_ pass: PassSource, _ tokens: [Token]? = nil) {
    self.pass = pass
    mentioned = FunctionUse(tokens ?? Lexer.tokens(ofAddedText: pass.source.text)).names(mentionedBy: "main")
  }

  /// The textures that are read.
  var textures: [PassTexture] { pass.textures.filter { mentioned.contains($0.name) } }

  /// Where the author's text mentions a texture first.
  static func place(of texture: PassTexture, in pass: PassSource) -> SourceRange? {
    pass.source.pieces.lazy.filter { $0.text == texture.name }.compactMap(\.origin).first
  }
}

// MARK: - how inputs are read

extension FilterReading {
  /// The same with marks at the inputs: those that no running code reads need no picture, and those that are read in pixels are cut off instead of scaled.
  ///
  /// The texts of ShaderToys and ISF files are warned about what they do not read; what kernels of the other dialects read is known when they are compiled.
  package var markingReads: FilterReading {
    guard !manifest.inputs.isEmpty else { return self }
    var read: Set<String> = []
    var inPixels: [String: [Bool]] = [:]
    for pass in manifest.passes {
      let textures = pass.textures.compactMap { texture in Self.input(texture).map { (input: $0, texture: texture) } }
      guard !textures.isEmpty else { continue }
      let tokens = Lexer.tokens(ofAddedText: pass.source.text)
      read.formUnion(PassReads(pass, tokens).textures.compactMap(Self.input))
      let places = pass.form == .warp ? nil : PixelReads(tokens)
      for one in textures { inPixels[one.input, default: []] += places?.reads(of: one.texture.name) ?? [true] }
    }
    var manifest = manifest
    for index in manifest.inputs.indices {
      let reads = inPixels[manifest.inputs[index].name] ?? []
      manifest.inputs[index].isRead = read.contains(manifest.inputs[index].name)
      manifest.inputs[index].isReadInPixels = !reads.isEmpty && reads.allSatisfy(\.self)
    }
    let unread = manifest.inputs.filter { !$0.isRead && ![.nothing, .keyboard].contains($0.origin) }
    let isWarned = [.shaderToy, .isf].contains(manifest.dialect)
    return FilterReading(manifest: manifest, warnings: warnings + (isWarned ? unread.compactMap(warning) : []))
  }

  private static func input(_ texture: PassTexture) -> String? { texture.source.input }

  /// Nil for an input that no text mentions, which some dialects allow.
  private func warning(_ input: FilterInput) -> Diagnostic? {
    for pass in manifest.passes {
      guard let texture = pass.textures.first(where: { $0.source.input == input.name }) else { continue }
      let place = PassReads.place(of: texture, in: pass) ?? input.place
      // A macro that a pass beside the image has from a Common, and does not use, asks for nothing.
      if place == nil, input.name.hasPrefix("\(pass.name).") { return nil }
      return Diagnostic(
        "manifest.unused-input", "nothing that runs reads the image '\(input.name)', so it needs no picture", severity: .warning,
        labels: place.map { [$0.label("in a function that is never called")] } ?? [])
    }
    return nil
  }
}

// MARK: - reads at the pixel itself

/// How a text reads its textures, also through macros and through functions that are given them.
private struct PixelReads {
  /// A call with a name as one of its arguments.
  private struct Call: Hashable {
    let function: String
    let argument: Int
  }

  /// A part of the text in which the texture has other names.
  private struct Passage {
    let names: Set<String>
    let places: [Int]
  }

  private static let inPixels: Set<String> = ["texelFetch", "etalonImagePixel", "IMG_PIXEL", "IMG_LOAD"]
  private static let sizes: Set<String> = ["textureSize", "etalonImageSize", "IMG_SIZE", "IMG_INSIDE"]

  private let tokens: [Token]
  private let functions: [String: [FileScope.Function]]
  private let macros: [MacroDefinition]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    functions = Dictionary(grouping: FileScope(tokens).functions.filter { $0.body != nil }, by: \.name)
    macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
  }

  /// For each call that reads the texture whether it does so at a position in pixels.
  func reads(of texture: String) -> [Bool] {
    var found: [Bool] = []
    var known: Set<Call> = []
    var pending = [Passage(names: names(of: texture), places: Array(tokens.indices))]
    while let passage = pending.popLast() {
      for place in passage.places where tokens[place].kind == .identifier && passage.names.contains(tokens[place].text) {
        guard let call = call(with: place) else { continue }
        if let isInPixels = isReadInPixels(call) {
          found.append(isInPixels)
        } else if known.insert(call).inserted {
          pending += passages(behind: call)
        }
      }
    }
    return found
  }

  /// A texture with the macros that stand for it.
  private func names(of texture: String) -> Set<String> {
    var names: Set<String> = [texture]
    var count = 0
    while names.count > count {
      count = names.count
      for macro in macros where macro.parameters == nil && macro.body.count == 1 && names.contains(tokens[macro.body[0]].text) {
        names.insert(macro.name)
      }
    }
    return names
  }

  /// Whether a call reads the texture at a position in pixels; nil for one that reads nothing, or passes it on to a text of the author's.
  private func isReadInPixels(_ call: Call) -> Bool? {
    let name = Self.plainName(of: call.function)
    if Self.sizes.contains(name) { return nil }
    if Self.inPixels.contains(name) { return true }
    let isOwn = !call.function.hasPrefix("etalon") && !call.function.hasPrefix("IMG_") && !(own(call).isEmpty && named(call).isEmpty)
    return isOwn ? nil : false
  }

  /// The bodies that a call gives the texture to, with the names that it has there.
  private func passages(behind call: Call) -> [Passage] {
    let bodies = own(call).compactMap { function -> Passage? in
      guard let parameter = function.parameters[call.argument].last, let body = function.body else { return nil }
      return Passage(names: [tokens[parameter].text], places: Array(body))
    }
    return bodies + named(call).map { Passage(names: [$0.parameters?[call.argument] ?? ""], places: $0.body) }
  }

  private func own(_ call: Call) -> [FileScope.Function] {
    (functions[call.function] ?? []).filter { $0.parameters.count > call.argument }
  }

  private func named(_ call: Call) -> [MacroDefinition] {
    macros.filter { $0.name == call.function && ($0.parameters?.count ?? 0) > call.argument }
  }

  /// The name of a function of Etalon's, whatever the image is that it reads: `IMG_PIXEL` for `etalonBorder0_IMG_PIXEL`.
  private static func plainName(of function: String) -> String {
    let name = function.hasSuffix(TextureCalls.mipmapEnding) ? function.dropLast(TextureCalls.mipmapEnding.count) : function[...]
    return String(name.hasPrefix("etalonBorder") ? name.drop { $0 != "_" }.dropFirst() : name)
  }

  /// The call that has the name at a place as an argument of its own.
  private func call(with place: Int) -> Call? {
    guard let next = tokens.next(after: place), tokens[next].isMark(",") || tokens[next].isMark(")") else { return nil }
    var depth = 0
    var argument = 0
    var current = tokens.previous(before: place)
    guard let first = current, tokens[first].isMark(",") || tokens[first].isMark("(") else { return nil }
    while let mark = current {
      if tokens[mark].kind == .punctuator {
        switch tokens[mark].text {
        case ")", "]", "}": depth += 1
        case "(" where depth == 0:
          guard let function = tokens.previous(before: mark), tokens[function].kind == .identifier else { return nil }
          return Call(function: tokens[function].text, argument: argument)
        case "(", "[", "{": depth -= 1
        case ",": argument += depth == 0 ? 1 : 0
        default: break
        }
      }
      guard depth >= 0 else { return nil }
      current = tokens.previous(before: mark)
    }
    return nil
  }
}
