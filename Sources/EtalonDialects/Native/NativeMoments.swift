internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// The reads of images at other frames: `inputImage[-1]` is the image as it is one frame before.
///
/// With a constant between the brackets it is an image like any other. With anything else it is the first argument of a function that reads a pixel, which
/// becomes a call of a function that chooses between the images.
struct NativeMoments: Rewrite {
  let name = "frames"

  /// The images that are read at other frames, with their places among all.
  private let windows: [String: (index: Int, window: FrameWindow)]
  private let images: Set<String>

  init(_ header: FilterHeader) {
    images = Set(header.images.map(\.input.name))
    var windows: [String: (index: Int, window: FrameWindow)] = [:]
    for (index, image) in header.images.enumerated() {
      if let window = image.input.frames { windows[image.input.name] = (index, window) }
    }
    self.windows = windows
  }

  /// The functions that read a pixel, with their parameters behind the image.
  static let reads = [
    "IMG_PIXEL": "vec2 position", "IMG_NORM_PIXEL": "vec2 place", "IMG_THIS_PIXEL": "", "IMG_LOAD": "ivec2 position",
  ]

  /// The name of an image at another frame in the text.
  static func image(_ name: String, at offset: Int) -> String {
    offset == 0 ? name : "etalonFrame_\(name)_\(offset < 0 ? "before" : "after")\(offset.magnitude)"
  }

  /// The function that reads an image at a frame that is computed.
  static func function(_ function: String, _ image: Int) -> String { "etalonFrames\(image)_\(function)" }

  func apply(to tokens: inout [Token]) {
    guard !windows.isEmpty else { return }
    let constants = IntegerConstants(tokens)
    for access in accesses(in: tokens) {
      guard let (index, window) = windows[access.image] else { continue }
      if let offset = constants.value(of: access.inside, in: tokens) {
        guard window.offsets.contains(offset) else { continue }
        tokens[access.place].text = Self.image(access.image, at: offset)
        tokens.erase(access.open...access.close)
      } else if let function = access.function {
        tokens[function].text = Self.function(tokens[function].text, index)
        tokens.erase(access.place...access.place)
        tokens[access.open].text = "("
        tokens[access.close].text = ")"
      }
    }
  }

  // MARK: finding

  private struct Access {
    let image: String
    let place: Int
    let open: Int
    let close: Int
    /// The visible tokens between the brackets.
    let inside: [Int]
    /// The name of the function that reads a pixel of it; nil where something else is done with it.
    let function: Int?
  }

  /// From the last to the first, so that those inside of others come first.
  private func accesses(in tokens: [Token]) -> [Access] {
    tokens.indices.reversed().compactMap { place in
      guard tokens[place].kind == .identifier, images.contains(tokens[place].text), let open = tokens.next(after: place),
        tokens[open].isMark("["), let close = tokens.closing(of: open)
      else { return nil }
      return Access(
        image: tokens[place].text, place: place, open: open, close: close,
        inside: (open + 1..<close).filter { tokens[$0].isSignificant }, function: function(reading: place, upTo: close, tokens))
    }
  }

  private func function(reading place: Int, upTo close: Int, _ tokens: [Token]) -> Int? {
    guard let open = tokens.previous(before: place), tokens[open].isMark("("), let function = tokens.previous(before: open),
      Self.reads[tokens[function].text] != nil, let end = tokens.next(after: close), tokens[end].isMark(",") || tokens[end].isMark(")")
    else { return nil }
    return function
  }

  // MARK: errors

  /// What is wrong with the reads at other frames.
  func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    let constants = IntegerConstants(tokens)
    return accesses(in: tokens).reversed().compactMap { access in
      let places = [access.place] + access.inside + [access.close]
      guard let (_, window) = windows[access.image] else {
        let offset = constants.value(of: access.inside, in: tokens) ?? -1
        return Diagnostic(
          "native.no-frames", "'\(access.image)' is not read at other frames", labels: tokens.labels(at: places, "another frame"),
          help: ["write in its input: \"FRAMES\": [\(min(offset, 0)), \(max(offset, 0))]"])
      }
      guard let offset = constants.value(of: access.inside, in: tokens) else {
        return access.function == nil ? handedOn(access, tokens, places) : nil
      }
      guard !window.offsets.contains(offset) else { return nil }
      let (first, last) = (min(window.offsets.lowerBound, offset), max(window.offsets.upperBound, offset))
      let help =
        offset.magnitude <= FrameWindow.mostFrames.magnitude
        ? "write \"FRAMES\": [\(first), \(last)]" : "read a frame that is at most \(FrameWindow.mostFrames) away"
      return Diagnostic(
        "native.frame-range",
        "'\(access.image)' is read at frames \(FrameWindow.text(window.offsets.lowerBound)) to \(FrameWindow.text(window.offsets.upperBound)), not at \(FrameWindow.text(offset))",
        labels: tokens.labels(at: places, "out of the range"), help: [help])
    }
  }

  private func handedOn(_ access: Access, _ tokens: [Token], _ places: [Int]) -> Diagnostic {
    Diagnostic(
      "native.frame-computed", "a frame that is computed can only be read pixel by pixel", labels: tokens.labels(at: places, "computed"),
      help: [
        "read it with \(Self.reads.keys.sorted().joined(separator: ", ")), as in 'IMG_LOAD(\(access.image)[k], p)', or write a constant between the brackets"
      ])
  }
}

// MARK: - generated functions

extension NativeMoments {
  /// A function that reads an image at a frame that is computed.
  struct Function {
    let name: String
    let text: String
    /// The function that it calls.
    let calls: String
    /// The image, as it is called in the header.
    let image: String
  }

  /// The functions that a text mentions.
  ///
  /// - Parameter read: the name of a function for an image, with its border and its levels.
  static func functions(
    _ header: FilterHeader, mentioned: Set<String>, inText: (String) -> String, read: (String, FilterHeader.Image) -> String
  ) -> [Function] {
    var functions: [Function] = []
    for (index, image) in header.images.enumerated() {
      guard let window = image.input.frames else { continue }
      for (plain, parameter) in reads.sorted(by: { $0.key < $1.key }) {
        let name = function(plain, index)
        guard mentioned.contains(name) else { continue }
        let called = read(plain, image)
        let argument = parameter.split(separator: " ").last.map { ", \($0)" } ?? ""
        let cases = window.offsets.map { offset in
          "    case \(offset): return \(called)(\(inText(Self.image(image.input.name, at: offset)))\(argument));\n"
        }.joined()
        let text = """
          vec4 \(name)(int frame\(parameter.isEmpty ? "" : ", " + parameter)) {
            switch (frame) {
          \(cases)  }
            return vec4(0.0);
          }

          """
        functions.append(Function(name: name, text: text, calls: called, image: image.input.name))
      }
    }
    return functions
  }
}

// MARK: - constants

/// The whole numbers that expressions of a text certainly are: literals, signs, sums, differences, products, and names of constants that are such.
struct IntegerConstants {
  private var named: [String: Int] = [:]

  init(_ tokens: [Token]) {
    for directive in Directive.all(in: tokens) {
      guard let macro = MacroDefinition(directive, in: tokens) else { continue }
      let isAgain = named.removeValue(forKey: macro.name) != nil
      if !isAgain, macro.parameters == nil, let value = value(of: macro.body, in: tokens) { named[macro.name] = value }
    }
    for declaration in FileScope(tokens).declarations {
      let words = declaration.tokens
      guard words.count > 4, tokens[words[0]].isName("const"), tokens[words[1]].isName("int") else { continue }
      for declarator in DeclaratorList(words.dropFirst(2), in: tokens).declarators where declarator.array.isEmpty {
        let name = tokens[declarator.name].text
        // A name that is declared again somewhere, such as in a function, may mean something else there.
        let declared = tokens.indices.count { place in
          tokens[place].isName(name) && tokens.previous(before: place).map { tokens[$0].kind == .identifier } ?? false
        }
        if declared <= 1, let value = value(of: declarator.initializer, in: tokens) { named[name] = value }
      }
    }
  }

  /// The value of some visible tokens; nil where that is not certain.
  func value(of places: [Int], in tokens: [Token]) -> Int? {
    var rest = places[...]
    guard let value = sum(&rest, tokens, depth: 0), rest.isEmpty else { return nil }
    return value
  }

  private static let deepest = 32

  private func sum(_ rest: inout ArraySlice<Int>, _ tokens: [Token], depth: Int) -> Int? {
    guard depth < Self.deepest, var value = product(&rest, tokens, depth) else { return nil }
    while let first = rest.first, tokens[first].isMark("+") || tokens[first].isMark("-") {
      rest.removeFirst()
      guard let next = product(&rest, tokens, depth) else { return nil }
      value = tokens[first].isMark("+") ? value &+ next : value &- next
    }
    return value
  }

  private func product(_ rest: inout ArraySlice<Int>, _ tokens: [Token], _ depth: Int) -> Int? {
    guard var value = signed(&rest, tokens, depth) else { return nil }
    while let first = rest.first, tokens[first].isMark("*") {
      rest.removeFirst()
      guard let next = signed(&rest, tokens, depth) else { return nil }
      value = value &* next
    }
    return value
  }

  private func signed(_ rest: inout ArraySlice<Int>, _ tokens: [Token], _ depth: Int) -> Int? {
    guard depth < Self.deepest, let first = rest.popFirst() else { return nil }
    let token = tokens[first]
    if token.isMark("-") { return signed(&rest, tokens, depth + 1).map { 0 &- $0 } }
    if token.isMark("+") { return signed(&rest, tokens, depth + 1) }
    if token.isMark("(") {
      guard let value = sum(&rest, tokens, depth: depth + 1), let close = rest.popFirst(), tokens[close].isMark(")") else { return nil }
      return value
    }
    return token.kind == .integer ? Int(token.text) : token.kind == .identifier ? named[token.text] : nil
  }
}
