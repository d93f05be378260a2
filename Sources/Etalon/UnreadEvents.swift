internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Warns about a mouse and keys that no filter of a graph reads.
struct UnreadEvents {
  private(set) var warnings: [Diagnostic] = []
  private var known: Set<ContentHash> = []
  private var readsMouse = false
  private var readsKeys = false

  /// - Parameter name: what people call the graph.
  init(_ graph: ImageGraph, of request: RenderRequest, named name: String) {
    guard request.pointer != nil || request.eventsFile != nil else { return }
    for image in graph.outputs.flatMap({ $0.image.parts() }) { look(at: image) }
    if request.pointer != nil, !readsMouse {
      warn("'\(name)' does not read the mouse, so '--mouse' changes nothing")
    } else if request.eventsFile != nil, !readsMouse, !readsKeys {
      warn("'\(name)' reads neither the mouse nor the keys, so '--events' changes nothing")
    }
  }

  private mutating func look(at image: ImageRecipe) {
    guard known.insert(image.digest).inserted, case .filter(let use) = image.operation else { return }
    for uniform in use.filter.manifest.passes.flatMap(\.uniforms) {
      switch uniform.meaning {
      case .mouse: readsMouse = true
      case .keys: readsKeys = true
      default: break
      }
    }
  }

  private mutating func warn(_ message: String) { warnings.append(Diagnostic("input.unread", message, severity: .warning)) }
}
