internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What frames leave to the next, and everything that this depends on.
///
/// Only what state is made of counts: another picture at the end of a graph, or another form of the files, changes nothing about it.
struct StateRecipe {
  /// The streams whose pictures state is made of.
  private(set) var streams: Set<String> = []
  /// The pictures that are read a frame later, and those whose filters keep targets or buffers.
  private var roots: Set<ContentHash> = []
  /// The applications of filters that state is made of.
  private var uses: [FilterUse] = []
  private let graph: ImageGraph

  init(_ graph: ImageGraph) {
    self.graph = graph
    roots = Set(graph.keepers.map(\.digest))
    for image in graph.imagesOfState {
      switch image.operation {
      case .filter(let use): uses.append(use)
      case .stream(let stream): streams.insert(stream.name)
      case .picture, .before: break
      }
    }
  }

  /// The hash of all that state depends on, save for what streams show.
  func hash(request: RenderRequest, plan: Plan, events: InputEvents?, size: Size, device: String) -> ContentHash {
    var hasher = ContentHasher()
    // Another build may make other plans of the same recipe.
    let program = FileStamp(path: "/proc/self/exe")
    hasher.add("etalon", "\(EtalonVersion.current) \(program?.size ?? 0) \(program?.modified ?? 0)")
    hasher.add("device", device)
    for root in roots.map(\.description).sorted() { hasher.add("image", root) }
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      hasher.add("feedback", name)
      hasher.add("image", image.digest.description)
    }
    hasher.add("format", "\(graph.format.rawValue) \(graph.workingSpace.rawValue) \(graph.proxy.factor)")
    hasher.add("size", "\(size)")
    hasher.add("clock", "\(request.clock.first) \(request.clock.start) \(request.clock.rate)")
    hasher.add("pointer", request.pointer.map { "\($0.x) \($0.y) \($0.isDown)" } ?? "none")
    if let events { hasher.add("events", events.description) }
    hasher.add("date", "\(request.date.year) \(request.date.month) \(request.date.day) \(request.date.seconds)")
    if uses.contains(where: \.dependsOnRange) { hasher.add("range", "\(request.shotRange)") }
    Self.add(plan, to: &hasher)
    return hasher.finish()
  }

  /// Which memory outlives a frame, and the kernels that fill it: what is fused into them decides about the rounding between filters.
  private static func add(_ plan: Plan, to hasher: inout ContentHasher) {
    for texture in plan.textures where texture.role == .persistent {
      hasher.add("texture", "\(texture.name) \(texture.pictureSize) \(texture.format)")
    }
    for buffer in plan.buffers where buffer.isPersistent { hasher.add("buffer", "\(buffer.name) \(buffer.byteCount)") }
    for (step, isNeeded) in zip(plan.steps, plan.stepsForState) where isNeeded {
      guard let pass = step.pass else { continue }
      hasher.add("pass", "\(pass.coverage) \(pass.region.map { "\($0)" } ?? "whole")")
      hasher.add("kernel", plan.kernels[pass.kernel].words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }
  }
}
