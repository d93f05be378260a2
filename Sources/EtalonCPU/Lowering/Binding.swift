internal import EtalonSPIRV

/// What an id of the module stands for while a function is lowered.
enum Binding {
  /// The scalars of a value, composites taken apart in order.
  case value([ValueId])
  case pointer(Pointer)
  /// A texture, with its sampler or as a storage image: the position in `KernelResources.textures`.
  case texture(Int)
  case nothing
}

/// A place in memory: a root and how far into it.
struct Pointer {
  enum Root {
    /// Scalar variables that are values of the graph; the number is the first slot.
    case slots(first: Int, count: Int)
    /// A local array: one row of lanes for each scalar, from a number of rows on.
    case rows(first: Int, count: Int)
    /// A constant array, by its number.
    case constants(Int, count: Int)
    /// A block in a buffer, by the buffer's number; offsets are bytes.
    case buffer(Int, isWritable: Bool)
    /// Shared words, from a word on.
    case shared(first: Int, count: Int)
    /// A texture by its binding; it gets a number where it is read first.
    case texture(binding: Int)
    case builtIn(BuiltIn)
  }

  /// How a matrix lies in a buffer.
  struct MatrixLayout {
    let stride: Int
    let isRowMajor: Bool
  }

  let root: Root
  /// What it points to.
  var type: Id
  /// Scalars, words or bytes from the start of the root, as the root counts.
  var offset = 0
  /// A further distance that is only known when the shader runs.
  var dynamic: ValueId?
  var matrix: MatrixLayout?
}
