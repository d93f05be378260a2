/// What a type of a module is.
///
/// **Concurrency**: an immutable value.
package enum ModuleType: Sendable, Hashable {
  case void
  case bool
  case int(width: Int, isSigned: Bool)
  case float(width: Int)
  case vector(component: Id, count: Int)
  case matrix(column: Id, count: Int)
  case array(element: Id, length: Int)
  case runtimeArray(element: Id)
  case structure(members: [Id])
  case pointer(StorageClass, pointee: Id)
  case function(result: Id, parameters: [Id])
  case image(ImageType)
  case sampler
  case sampledImage(image: Id)

  /// The type of one part of a composite, nil when this is none.
  package func part(_ index: Int) -> Id? {
    switch self {
    case .vector(let part, let count), .matrix(let part, let count), .array(let part, let count):
      index >= 0 && index < count ? part : nil
    case .runtimeArray(let element): element
    case .structure(let members): members.indices.contains(index) ? members[index] : nil
    default: nil
    }
  }

  /// The number of parts of a composite, nil when this is none or the number is not known.
  package var partCount: Int? {
    switch self {
    case .vector(_, let count), .matrix(_, let count), .array(_, let count): count
    case .structure(let members): members.count
    default: nil
    }
  }
}

/// What kind of texture an image type is.
///
/// **Concurrency**: an immutable value.
package struct ImageType: Sendable, Hashable {
  package enum Dim: UInt32, Sendable, Hashable {
    case one = 0
    case two = 1
    case three = 2
    case cube = 3
    case rectangle = 4
    case buffer = 5
    case subpass = 6
  }
  /// The type of a texel's components.
  package let sampledType: Id
  package let dim: Dim
  package let isDepth: Bool
  package let isArrayed: Bool
  package let isMultisampled: Bool
  /// Whether it is read and written by whole texels, without a sampler.
  package let isStorage: Bool
  /// The number of the image format, 0 when the shader leaves it open.
  package let format: UInt32
}

/// What is known about the value of a constant before the module runs.
///
/// **Concurrency**: an immutable value.
package enum ConstantValue: Sendable, Hashable {
  /// The bits of a number, zero-extended, or 0 and 1 for a truth value.
  case scalar(UInt64)
  case composite([Id])
  /// Zero everywhere.
  case null
  /// Anything; Etalon takes zero.
  case undefined
}
