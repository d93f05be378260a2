package import EtalonSPIRV
package import EtalonTypes

/// Lays values out in the bytes of a uniform block as its kernel reads them.
package struct UniformBytes: Sendable {
  /// The bytes so far; members that nothing was written to are zero.
  package private(set) var bytes: [UInt8]

  /// Starts a block; none has no bytes.
  package init(_ block: KernelInterface.Block?) { bytes = [UInt8](repeating: 0, count: block?.size ?? 0) }

  /// Writes components into a member, array elements one after the other; what does not fit into the type or the array is left out.
  ///
  /// - Parameter perElement: how many of the components belong to one array element.
  package mutating func write(_ components: [Double], perElement: Int, as type: ValueType, to member: KernelInterface.Member) {
    for (index, value) in components.enumerated() {
      let (element, component) = index.quotientAndRemainder(dividingBy: max(perElement, 1))
      guard element < member.arrayLength ?? 1, component < type.componentCount else { continue }
      let offset = member.offset + element * member.arrayStride + Self.offset(of: component, type, member)
      write(type.isFloat ? Float(value).bitPattern : UInt32(truncatingIfNeeded: Int(saturating: value.rounded(.towardZero))), at: offset)
    }
  }

  /// The bytes from the start of an element to one of its components; the components of a matrix come column by column.
  private static func offset(of component: Int, _ type: ValueType, _ member: KernelInterface.Member) -> Int {
    guard member.matrixStride > 0 else { return component * 4 }
    let rows = Int(Double(type.componentCount).squareRoot())
    let (column, row) = component.quotientAndRemainder(dividingBy: rows)
    return member.isRowMajor ? row * member.matrixStride + column * 4 : column * member.matrixStride + row * 4
  }

  private mutating func write(_ word: UInt32, at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
  }
}
