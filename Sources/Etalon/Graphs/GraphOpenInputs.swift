internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// What the inputs show that a graph leaves open, when it is rendered by itself.
struct GraphOpenInputs {
  /// The files that somebody named, by the input.
  private(set) var files: [String: RenderRequest.InputPicture] = [:]
  private let text: GraphText
  private let request: RenderRequest

  /// Refuses names that the graph does not have, and inputs with two pictures.
  init(_ text: GraphText, _ request: RenderRequest) throws(DiagnosticsError) {
    self.text = text
    self.request = request
    var mistakes: [Diagnostic] = []
    let names = text.openInputs.map(\.text)
    for picture in request.inputs {
      guard let name = picture.input ?? (names.contains("inputImage") ? "inputImage" : names.first), names.contains(name) else {
        mistakes.append(Self.unknown(picture, names))
        continue
      }
      if let first = files[name] {
        mistakes.append(
          Diagnostic("input.twice", "'\(name)' has two pictures, '\(first.path)' and '\(picture.path)'", help: ["keep one of them"]))
      }
      files[name] = picture
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private static func unknown(_ picture: RenderRequest.InputPicture, _ names: [String]) -> Diagnostic {
    let list = names.isEmpty ? "all of its inputs are files" : "its open inputs are \(names.map { "'\($0)'" }.joined(separator: ", "))"
    guard let name = picture.input else {
      return Diagnostic("input.unknown", "the graph leaves no input open for '\(picture.path)'", help: [list])
    }
    return Diagnostic(
      "input.unknown", "the graph has no open input '\(name)'",
      help: [NearestName.find(name, in: names).map { "did you mean '\($0)'?" } ?? list])
  }

  /// The pictures of the inputs that show no file, and what is to be said about them.
  func pictures(_ reader: PictureFolder) throws -> (
    pictures: [String: FilterUse.Input], warnings: [Diagnostic], standIns: [String: String]
  ) {
    var pictures: [String: FilterUse.Input] = [:]
    var warnings: [Diagnostic] = []
    var standIns: [String: String] = [:]
    for input in text.openInputs {
      if let file = files[input.text] {
        // What leaves the graph unchanged; nodes read the file themselves.
        if file.sequence == nil {
          pictures[input.text] = FilterUse.Input(ImageRecipe(.picture(try reader.picture(file.path)), label: file.label))
        }
        continue
      }
      guard request.standsInWithTestCards || request.fillsOpenInputs else { throw missing }
      let card = TestCard.picture(named: input.text, size: request.size ?? ImageGraph.usualSize)
      pictures[input.text] = FilterUse.Input(ImageRecipe(.picture(card), label: input.text))
      guard !request.fillsOpenInputs else { continue }
      standIns[input.text] = "test-card"
      warnings.append(
        Diagnostic(
          "input.test-card", "a test card stands in for the picture of input '\(input.text)'", severity: .warning,
          labels: [input.label("a test card")]))
    }
    return (pictures, warnings, standIns)
  }

  private var missing: RenderError {
    let names = text.openInputs.map(\.text).filter { files[$0] == nil }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    let example = text.openInputs.count == 1 ? "-i photo.jpg" : "--input \(names.first ?? "inputImage")=photo.jpg"
    return RenderError(
      .missingInput, "the graph reads \(list), and no picture was given for \(names.count == 1 ? "it" : "them")",
      help: ["type '\(example)'", "or type '--missing-input test-card' to see the graph without"])
  }
}
