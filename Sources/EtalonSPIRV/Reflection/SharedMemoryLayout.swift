/// How much shared memory variables take at most: as much as in a storage buffer, one after the other.
///
/// Devices may pack them more tightly, but are not allowed to need more.
struct SharedMemoryLayout {
  private let module: SPIRVModule

  init(_ module: SPIRVModule) { self.module = module }

  /// The bytes of the variables among these that are shared.
  func byteCount(of variables: [Id]) -> Int {
    variables.reduce(0) { end, variable in
      guard let type = module.typeOfValue(variable), case .pointer(.Workgroup, let pointee) = module.type(type) else { return end }
      let (size, alignment) = measure(pointee)
      return Self.rounded(end, to: alignment) + size
    }
  }

  /// Bytes by the rules of std430; types are limited to `ModuleLimits.scalarsPerType` numbers, so that nothing overflows.
  private func measure(_ type: Id) -> (size: Int, alignment: Int) {
    switch module.type(type) {
    case .int(let width, _), .float(let width): return (width / 8, width / 8)
    case .vector(let component, let count):
      let size = measure(component).size
      return (size * count, size * (count == 3 ? 4 : count))
    case .matrix(let part, let count), .array(let part, let count):
      let (size, alignment) = measure(part)
      return (Self.rounded(size, to: alignment) * count, alignment)
    case .structure(let members):
      var (end, alignment) = (0, 1)
      for member in members {
        let own = measure(member)
        end = Self.rounded(end, to: own.alignment) + own.size
        alignment = max(alignment, own.alignment)
      }
      return (Self.rounded(end, to: alignment), alignment)
    default: return (4, 4)
    }
  }

  private static func rounded(_ size: Int, to alignment: Int) -> Int { (size + alignment - 1) / alignment * alignment }
}
