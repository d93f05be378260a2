import EtalonDiagnostics

/// Reads the layout of a block from its decorations; structures and arrays of arrays come out as single members: `light.color`, `grid[1]`.
struct BlockLayout {
  private let module: SPIRVModule
  private let name: String
  private var members: [KernelInterface.Member] = []
  private var end = 0
  /// Steps of taking apart, which are limited so that arrays of empty structures end too.
  private var steps = 0

  private static let maximumMembers = 4096
  /// Bytes, far more than any device takes.
  private static let maximumSize = 1 << 26

  init(_ module: SPIRVModule, name: String) {
    self.module = module
    self.name = name
  }

  /// What a member inherits from what it is in.
  private struct Place {
    var name: String
    var offset: Int
    /// The structure and position whose decorations hold for matrices.
    let structure: Id
    let member: Int
  }

  /// The block with a structure as its type.
  func block(_ structure: Id, binding: Int) throws(DiagnosticsError) -> KernelInterface.Block {
    var layout = self
    try layout.add(structure, prefix: "", offset: 0)
    guard layout.end <= Self.maximumSize else { throw error("has \(layout.end) bytes, at most \(Self.maximumSize) are possible") }
    return KernelInterface.Block(
      name: name, binding: binding, size: layout.end, members: layout.members.sorted { $0.offset < $1.offset })
  }

  private mutating func add(_ structure: Id, prefix: String, offset: Int) throws(DiagnosticsError) {
    guard case .structure(let types) = module.type(structure) else { throw error("is no structure") }
    for (member, type) in types.enumerated() {
      guard let own = module.value(of: .Offset, structure, member: member) else { throw error("has members without offset") }
      let memberName = module.memberName(structure, member)
      let place = Place(
        name: prefix + (memberName.isEmpty ? "member\(member)" : memberName), offset: offset + Int(own), structure: structure,
        member: member)
      try add(type, place)
    }
  }

  private mutating func add(_ type: Id, _ place: Place) throws(DiagnosticsError) {
    steps += 1
    guard steps <= Self.maximumMembers else { throw error("has more than \(Self.maximumMembers) members") }
    switch module.type(type) {
    case .structure: try add(type, prefix: place.name + ".", offset: place.offset)
    case .array(let element, let length):
      guard let stride = module.value(of: .ArrayStride, type).map({ Int($0) }) else { throw error("has an array without stride") }
      switch module.type(element) {
      case .structure, .array:
        for index in 0..<length {
          var part = place
          part.name += "[\(index)]"
          part.offset += index * stride
          try add(element, part)
        }
      default: try append(element, place, arrayLength: length, arrayStride: stride)
      }
    case .runtimeArray: throw error("has an array without length")
    default: try append(type, place, arrayLength: nil, arrayStride: 0)
    }
  }

  private mutating func append(_ type: Id, _ place: Place, arrayLength: Int?, arrayStride: Int) throws(DiagnosticsError) {
    guard let spelling = GLSLType(module).name(type) else { throw error("has a member '\(place.name)' of a type that is not supported") }
    var matrixStride = 0, isRowMajor = false
    if case .matrix = module.type(type) {
      isRowMajor = module.has(.RowMajor, place.structure, member: place.member)
      guard let stride = module.value(of: .MatrixStride, place.structure, member: place.member) else {
        throw error("has a matrix '\(place.name)' without stride")
      }
      matrixStride = Int(stride)
    }
    let size = arrayLength.map { $0 * arrayStride } ?? GLSLType(module).size(type, matrixStride: matrixStride, isRowMajor: isRowMajor)
    end = max(end, place.offset + size)
    members.append(
      KernelInterface.Member(
        name: place.name, type: spelling, arrayLength: arrayLength, offset: place.offset, arrayStride: arrayStride,
        matrixStride: matrixStride, isRowMajor: isRowMajor
      ))
  }

  private func error(_ reason: String) -> DiagnosticsError { Reflection.error("block", "the block '\(name)' \(reason)") }
}

// MARK: - Types

/// How GLSL spells a type and how large it is.
private struct GLSLType {
  private let module: SPIRVModule

  init(_ module: SPIRVModule) { self.module = module }

  /// `float`, `ivec2`, `mat3`, `mat2x4`; nil for what is neither scalar, vector nor matrix.
  func name(_ type: Id) -> String? {
    switch module.type(type) {
    case .vector(let component, let count): prefix(component).map { "\($0)vec\(count)" }
    case .matrix(let column, let count): matrixName(column, count)
    default: scalar(type)
    }
  }

  /// Bytes in a block, with full columns, or full rows.
  func size(_ type: Id, matrixStride: Int, isRowMajor: Bool = false) -> Int {
    switch module.type(type) {
    case .int(let width, _), .float(let width): width / 8
    case .vector(let component, let count): count * size(component, matrixStride: 0)
    case .matrix(let column, let count): (isRowMajor ? module.scalarCount(column) : count) * matrixStride
    default: 4
    }
  }

  private func matrixName(_ column: Id, _ count: Int) -> String? {
    guard case .vector(let component, let rows) = module.type(column), let prefix = prefix(component) else { return nil }
    return rows == count ? "\(prefix)mat\(count)" : "\(prefix)mat\(count)x\(rows)"
  }

  private func scalar(_ type: Id) -> String? {
    switch module.type(type) {
    case .bool: "bool"
    case .float(32): "float"
    case .float(64): "double"
    case .float: "float16_t"
    case .int(32, let isSigned): isSigned ? "int" : "uint"
    case .int(let width, let isSigned): "\(isSigned ? "" : "u")int\(width)_t"
    default: nil
    }
  }

  private func prefix(_ component: Id) -> String? {
    switch module.type(component) {
    case .bool: "b"
    case .float(32): ""
    case .float(64): "d"
    case .float: "f16"
    case .int(32, let isSigned): isSigned ? "i" : "u"
    case .int(let width, let isSigned): "\(isSigned ? "i" : "u")\(width)"
    default: nil
    }
  }
}

// MARK: - Shared memory

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
