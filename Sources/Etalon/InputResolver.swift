import EtalonDiagnostics
import EtalonGraph
import EtalonManifest
import EtalonMedia
import EtalonTypes

/// Finds the picture for every image input that a filter reads.
struct InputResolver {
  /// The pictures by input, and what is worth saying about them.
  struct Result {
    var pictures: [String: FilterPlan.Input]
    /// The size of the picture of the filter's first input.
    var mainSize: Size?
    var warnings: [Diagnostic]
  }

  let request: RenderRequest
  let manifest: FilterManifest

  func resolve() throws -> Result {
    try checkNames()
    var pictures: [String: FilterPlan.Input] = [:]
    var warnings: [Diagnostic] = []
    for change in request.samplers where !manifest.inputs.contains(where: { $0.name == change.input }) {
      warnings.append(
        Diagnostic("input.unread", "'\(manifest.name)' does not read '\(change.input)', so '--sampler' changes nothing", severity: .warning)
      )
    }
    for assignment in request.inputs {
      guard let name = assignment.input ?? manifest.inputs.first?.name, let input = manifest.inputs.first(where: { $0.name == name }) else {
        warnings.append(unread(assignment))
        continue
      }
      if pictures[name] != nil { throw twice(name) }
      let picture = try PictureReader().read(path: assignment.path)
      pictures[name] = FilterPlan.Input(picture: input.isFlipped ? picture.turnedOver : picture, sampler: input.sampler)
    }
    try checkNothingIsMissing(pictures)
    return Result(pictures: pictures, mainSize: manifest.inputs.first.flatMap { pictures[$0.name]?.picture.size }, warnings: warnings)
  }

  /// Inputs that the dialect does not have are refused; those that the text only does not read are warned about.
  private func checkNames() throws(DiagnosticsError) {
    let named = request.inputs.compactMap(\.input).map { ("--input", $0) } + request.samplers.map { ("--sampler", $0.input) }
    let unknown = named.filter { !manifest.channelNames.contains($0.1) }
    guard !unknown.isEmpty else { return }
    throw DiagnosticsError(
      unknown.map { option, name in
        let nearest = NearestName.find(name, in: manifest.channelNames)
        return Diagnostic(
          "input.unknown", "'\(manifest.name)' has no image input '\(name)', which '\(option)' names",
          help: [nearest.map { "did you mean '\($0)'?" } ?? "its image inputs are \(list(manifest.channelNames))"])
      })
  }

  private func checkNothingIsMissing(_ pictures: [String: FilterPlan.Input]) throws(RenderError) {
    let missing = manifest.inputs.map(\.name).filter { pictures[$0] == nil }
    guard let first = missing.first else { return }
    let example = pictures.isEmpty && missing.count == 1 ? "-i photo.jpg" : "--input \(first)=photo.jpg"
    throw RenderError(
      .missingInput, "'\(manifest.name)' reads \(list(missing)), and no picture was given for \(missing.count == 1 ? "it" : "them")",
      help: ["type '\(example)'"])
  }

  private func twice(_ name: String) -> DiagnosticsError {
    let paths = request.inputs.filter { ($0.input ?? manifest.inputs.first?.name) == name }.map(\.path)
    return DiagnosticsError(
      Diagnostic(
        "input.twice", "'\(name)' has two pictures, \(list(paths))", help: ["keep one of them; '-i' is the first input that is read"]))
  }

  private func unread(_ assignment: RenderRequest.InputPicture) -> Diagnostic {
    let message =
      assignment.input.map { "'\(manifest.name)' does not read '\($0)', so '\(assignment.path)' is not used" }
      ?? "'\(manifest.name)' reads no picture, so '\(assignment.path)' is not used"
    return Diagnostic("input.unread", message, severity: .warning)
  }

  private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}

extension PixelBuffer {
  /// The same picture with its rows in the opposite order.
  fileprivate var turnedOver: PixelBuffer {
    var turned: [UInt8] = []
    turned.reserveCapacity(bytes.count)
    for row in stride(from: size.height - 1, through: 0, by: -1) { turned += bytes[row * bytesPerRow..<(row + 1) * bytesPerRow] }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: turned)
  }
}
