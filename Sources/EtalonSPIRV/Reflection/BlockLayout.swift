import EtalonDiagnostics

/// Reads the layout of a block from its decorations; structures and arrays of arrays come out as single members: `light.color`, `grid[1]`.
struct BlockLayout {
  private let module: SPIRVModule
  private let name: String
  private var members: [KernelInterface.Member] = []
  private var end = 0
  /// Steps of taking apart, so that arrays of nothing end too.
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
    guard layout.end <= Self.maximumSize else { throw refusal("has \(layout.end) bytes, at most \(Self.maximumSize) are possible") }
    return KernelInterface.Block(
      name: name, binding: binding, size: layout.end, members: layout.members.sorted { $0.offset < $1.offset })
  }

  private mutating func add(_ structure: Id, prefix: String, offset: Int) throws(DiagnosticsError) {
    guard case .structure(let types) = module.type(structure) else { throw refusal("is no structure") }
    for (member, type) in types.enumerated() {
      guard let own = module.value(of: .Offset, structure, member: member) else { throw refusal("has members without offset") }
      let memberName = module.memberName(structure, member)
      let place = Place(
        name: prefix + (memberName.isEmpty ? "member\(member)" : memberName), offset: offset + Int(own), structure: structure,
        member: member)
      try add(type, place)
    }
  }

  private mutating func add(_ type: Id, _ place: Place) throws(DiagnosticsError) {
    steps += 1
    guard steps <= Self.maximumMembers else { throw refusal("has more than \(Self.maximumMembers) members") }
    switch module.type(type) {
    case .structure: try add(type, prefix: place.name + ".", offset: place.offset)
    case .array(let element, let length):
      guard let stride = module.value(of: .ArrayStride, type).map({ Int($0) }) else { throw refusal("has an array without stride") }
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
    case .runtimeArray: throw refusal("has an array without length")
    default: try append(type, place, arrayLength: nil, arrayStride: 0)
    }
  }

  private mutating func append(_ type: Id, _ place: Place, arrayLength: Int?, arrayStride: Int) throws(DiagnosticsError) {
    guard let spelling = GLSLType(module).name(type) else { throw refusal("has a member '\(place.name)' of a type that is not supported") }
    var matrixStride = 0, isRowMajor = false
    if case .matrix = module.type(type) {
      isRowMajor = module.has(.RowMajor, place.structure, member: place.member)
      guard let stride = module.value(of: .MatrixStride, place.structure, member: place.member) else {
        throw refusal("has a matrix '\(place.name)' without stride")
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

  private func refusal(_ reason: String) -> DiagnosticsError { Reflection.refusal("block", "the block '\(name)' \(reason)") }
}
