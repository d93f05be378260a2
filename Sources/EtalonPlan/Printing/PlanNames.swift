/// The numbers of textures in the order in which a plan mentions them.
struct PlanNames {
  private(set) var order: [Int] = []
  private var numbers: [Int: Int] = [:]

  init(_ plan: Plan) {
    for step in plan.setup + plan.steps {
      switch step {
      case .clear(let texture), .makeMipmaps(let texture): mention(texture)
      case .dispatch(let pass):
        for (_, binding) in pass.bindings.sorted(by: { $0.key < $1.key }) {
          if case .sampled(let texture, _) = binding { mention(texture) }
        }
        pass.targets.sorted().forEach { mention($0) }
      }
    }
  }

  private mutating func mention(_ texture: Int) {
    guard numbers[texture] == nil else { return }
    numbers[texture] = order.count
    order.append(texture)
  }

  func texture(_ index: Int) -> String { numbers[index].map { "t\($0)" } ?? "unused" }
}
