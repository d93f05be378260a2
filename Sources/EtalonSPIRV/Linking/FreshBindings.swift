/// Hands out bindings that the host does not use; 0 is for the uniform block.
struct FreshBindings {
  private let taken: Set<UInt32>
  private var last = 0

  init(besides host: SPIRVModule) {
    taken = Set(host.globalVariables.compactMap { host[$0].result }.compactMap { host.value(of: .Binding, $0) })
  }

  mutating func next() -> Int {
    repeat { last += 1 } while taken.contains(UInt32(last))
    return last
  }
}
