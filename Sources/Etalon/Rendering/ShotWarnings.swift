internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// The frames of an output in which NaN was stored.
package struct FramesWithNaN: Sendable, Hashable {
  /// The place of the output among those of the shot, the result first.
  package let output: Int
  /// The lowest number of them.
  package let first: Int
  package let count: Int

  package init(output: Int, first: Int, count: Int) {
    self.output = output
    self.first = first
    self.count = count
  }
}

/// NaN that a pass stored where results need not show it: in a target that later frames read, or in one that is read with mipmaps, whose smaller
/// levels hand it on to whole blocks of pixels.
package struct HiddenNaN: Sendable, Hashable {
  /// What reads the target.
  package enum Reader: Sendable, Hashable {
    case laterFrames
    case mipmaps
  }

  /// The name of the pass, or of the target where several write it.
  package let pass: String
  package let reader: Reader
  /// The first frame that is known to have it.
  package let frame: Int

  /// What the targets hold that the frames after one read.
  static func kept(by execution: any PlanExecution, _ plan: Plan, after frame: Int) -> [HiddenNaN] {
    let kept = plan.textures.indices.filter { plan.textures[$0].role == .persistent }
    func tells(_ texture: Int) -> Bool { plan.textures[texture].format.isFloat && plan.isReadByNextFrame(texture) }
    // Where the device fails now, nothing is told.
    guard kept.contains(where: tells), let state = try? execution.state() else { return [] }
    return zip(kept, state.textures).filter { unsafe tells($0) && $1.format.holdsNaN($1.bytes.span.bytes) }.map { texture, _ in
      HiddenNaN(pass: plan.nameOfWriter(of: texture), reader: .laterFrames, frame: frame)
    }
  }
}

extension Plan {
  /// The name of the pass that writes a texture, or that of the texture where there are several.
  fileprivate func nameOfWriter(of texture: Int) -> String {
    let names = Set((setup + steps).compactMap(\.pass).filter { $0.targets.contains(texture) }.map(\.name))
    return names.count == 1 ? names.first ?? textures[texture].name : textures[texture].name
  }
}

/// Remembers in which frames NaN was stored.
///
/// **Concurrency**: usable from every thread.
final class NaNLog: Sendable {
  /// By the places of outputs.
  private let frames = Mutex<[Int: Set<Int>]>([:])
  /// The first frame with NaN in mipmaps, by the names of passes.
  private let mipmaps = Mutex<[String: Int]>([:])

  /// Looks at a complete frame.
  func look(at pending: any PendingFrame, _ frame: Int, output: Int) {
    guard pending.holdsNaN(in: output) else { return }
    frames.withLock { _ = $0[output, default: []].insert(frame) }
  }

  /// Looks at the mipmaps of a complete frame.
  func look(atMipmapsOf pending: any PendingFrame, _ frame: Int) {
    // The frame is complete; the next one tells of a failure of the device.
    guard let passes = try? pending.passesWithNaNInMipmaps(), !passes.isEmpty else { return }
    mipmaps.withLock { mipmaps in for pass in passes { mipmaps[pass] = min(mipmaps[pass] ?? frame, frame) } }
  }

  /// The passes with NaN in mipmaps since it was asked last, in the order of the frames.
  func takeMipmaps() -> [HiddenNaN] {
    let seen = mipmaps.withLock { mipmaps in
      defer { mipmaps = [:] }
      return mipmaps
    }
    return seen.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { HiddenNaN(pass: $0.key, reader: .mipmaps, frame: $0.value) }
  }

  /// What was seen since it was asked last, in the order of the outputs.
  func take() -> [FramesWithNaN] {
    let seen = frames.withLock { frames in
      defer { frames = [:] }
      return frames
    }
    return seen.sorted { $0.key < $1.key }.compactMap { output, numbers in
      numbers.min().map { FramesWithNaN(output: output, first: $0, count: numbers.count) }
    }
  }
}

// MARK: pictures that are cut, events that are not read

/// Warns about pictures of which a result of another size shows only a part, because the filter over them counts in pixels.
struct CutPictures {
  private(set) var warnings: [Diagnostic] = []
  private var known: Set<ContentHash> = []

  /// Looks at the main pictures of all filters of a graph, if the size of its result was asked for.
  init(_ graph: ImageGraph) {
    guard let size = graph.size else { return }
    for image in graph.outputs.flatMap({ $0.image.parts() }) { look(at: image, size) }
  }

  private mutating func look(at image: ImageRecipe, _ size: Size) {
    guard known.insert(image.digest).inserted, case .filter(let use) = image.operation, use.moments.isEmpty else { return }
    guard let main = use.filter.mainInput, main.origin == .user, let picture = use.inputs[main.name].flatMap({ Self.size(of: $0.image) }),
      picture != size, !Self.hasOwnSize(use.filter.manifest.extent), main.isReadInPixels,
      !use.filter.countsPixels(of: main)
    else { return }
    let isPart = picture.width > size.width || picture.height > size.height
    warnings.append(
      Diagnostic(
        "input.size", "'\(main.name)' of '\(use.filter.manifest.name)' is read in pixels, and its picture is \(picture), not \(size)",
        severity: .warning,
        labels: main.place.map { [$0.label(isPart ? "shows a part of it" : "does not fill the result")] } ?? [],
        help: ["leave out '--size', or scale the picture first: 'photo.png | resize \(size) | …'"]))
  }

  /// Whether a result is as large as its filter says, as that of `resize`, and not as was asked for.
  private static func hasOwnSize(_ extent: ResultExtent) -> Bool {
    switch extent {
    case .rectangle, .sized: true
    case .input, .grown, .infinite, .union: false
    }
  }

  private static func size(of image: ImageRecipe) -> Size? {
    switch image.operation {
    case .picture(let picture): picture.size
    case .stream(let stream): stream.size
    case .filter, .before: nil
    }
  }
}

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
