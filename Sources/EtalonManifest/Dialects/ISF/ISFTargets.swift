internal import EtalonTypes

/// What the passes of a header write, and which pass writes what.
struct ISFTargets {
  private(set) var targets: [FilterTarget] = []
  /// The passes that run, with their number and the target they write; nil for the result.
  private(set) var passes: [(index: Int, target: String?)] = []
  /// The target that is copied to the result after the last pass.
  private(set) var copied: String?

  /// - Parameter mentioned: the names in the text.
  init(_ header: ISFHeader, mentioned: Set<String>) {
    let last = header.passes.count - 1
    for (index, pass) in header.passes.enumerated() {
      guard let target = pass.target?.value else {
        if index == last { passes.append((index, nil)) }
        continue
      }
      // The last pass gives the result, whatever it writes beside it.
      let isOnlyResult =
        index == last && !pass.isPersistent && !mentioned.contains(target) && pass.width == nil && pass.height == nil
        && !header.passes.dropLast().contains { $0.target?.value == target }
      passes.append((index, isOnlyResult ? nil : target))
      guard !isOnlyResult else { continue }
      add(pass, header)
      if index == last { copied = target }
    }
  }

  private mutating func add(_ pass: ISFHeader.Pass, _ header: ISFHeader) {
    guard let name = pass.target, !targets.contains(where: { $0.name == name.value }) else { return }
    let all = header.passes.filter { $0.target?.value == name.value }
    let buffer = header.persistentBuffers.first { $0.name.value == name.value }
    let isFloat = pass.isFloat || buffer?.isFloat ?? false
    targets.append(
      FilterTarget(
        name: name.value, extent: ISFSizeExpression.extent(width: pass.width ?? buffer?.width, height: pass.height ?? buffer?.height),
        format: isFloat ? .rgba32f : .rgba8, isPersistent: buffer != nil || all.contains(where: \.isPersistent), place: name.place))
  }
}
