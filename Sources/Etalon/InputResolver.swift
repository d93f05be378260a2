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
  let filter: LoadedFilter
  private var manifest: FilterManifest { filter.manifest }

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
      guard let name = assignment.input ?? mainInput?.name, let input = manifest.inputs.first(where: { $0.name == name }) else {
        warnings.append(unread(assignment))
        continue
      }
      if pictures[name] != nil { throw twice(name) }
      let picture = try PictureReader().read(path: assignment.path).withAlpha(for: manifest)
      pictures[name] = FilterPlan.Input(picture: input.isFlipped ? picture.turnedOver : picture, sampler: input.sampler)
    }
    for input in manifest.inputs where pictures[input.name] == nil {
      guard let picture = try ownPicture(of: input) else { continue }
      pictures[input.name] = FilterPlan.Input(picture: input.isFlipped ? picture.turnedOver : picture, sampler: input.sampler)
    }
    try checkNothingIsMissing(pictures)
    return Result(pictures: pictures, mainSize: mainInput.flatMap { pictures[$0.name]?.picture.size }, warnings: warnings)
  }

  /// The input that `-i` means and that gives the result its size.
  private var mainInput: FilterInput? {
    let flat = manifest.inputs.filter { $0.shape == .flat }
    return flat.first { $0.origin == .user } ?? flat.first { if case .asset = $0.origin { true } else { false } }
  }

  /// The picture that a filter brings for an input; nil when the user has to give one.
  private func ownPicture(of input: FilterInput) throws -> PixelBuffer? {
    switch input.origin {
    case .user, .asset: return nil
    case .nothing: return PixelBuffer(size: Size(1, 1), format: .rgba8, alpha: .opaque, bytes: [0, 0, 0, 255])
    case .keyboard: return PixelBuffer(size: Size(256, 3), format: .r8, alpha: .opaque, bytes: [UInt8](repeating: 0, count: 768))
    case .file(let path, let place):
      let realPath: String
      do throws(FileProblem) { realPath = try filter.folder.realPath(of: path) } catch {
        let label = place.map { [Diagnostic.Label($0.source, $0.range, error == .outside ? "leads out of the folder" : "not found")] } ?? []
        throw DiagnosticsError(
          Diagnostic(
            "input.file", "cannot use the picture '\(path)' of input '\(input.name)'", labels: label,
            help: ["put it beside the filter, or type '--input \(input.name)=photo.png'"]))
      }
      return try PictureReader().read(path: realPath).withAlpha(for: manifest)
    }
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
    let paths = request.inputs.filter { ($0.input ?? mainInput?.name) == name }.map(\.path)
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
