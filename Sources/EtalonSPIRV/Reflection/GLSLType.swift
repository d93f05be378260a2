/// How GLSL spells a type and how large it is.
struct GLSLType {
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
