// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A function of the extended instruction set `GLSL.std.450`, spelled as in its specification.
package enum GLSLInstruction: UInt32, Sendable, Hashable, CaseIterable {
  case Round = 1
  case RoundEven = 2
  case Trunc = 3
  case FAbs = 4
  case SAbs = 5
  case FSign = 6
  case SSign = 7
  case Floor = 8
  case Ceil = 9
  case Fract = 10
  case Radians = 11
  case Degrees = 12
  case Sin = 13
  case Cos = 14
  case Tan = 15
  case Asin = 16
  case Acos = 17
  case Atan = 18
  case Sinh = 19
  case Cosh = 20
  case Tanh = 21
  case Asinh = 22
  case Acosh = 23
  case Atanh = 24
  case Atan2 = 25
  case Pow = 26
  case Exp = 27
  case Log = 28
  case Exp2 = 29
  case Log2 = 30
  case Sqrt = 31
  case InverseSqrt = 32
  case Determinant = 33
  case MatrixInverse = 34
  case Modf = 35
  case ModfStruct = 36
  case FMin = 37
  case UMin = 38
  case SMin = 39
  case FMax = 40
  case UMax = 41
  case SMax = 42
  case FClamp = 43
  case UClamp = 44
  case SClamp = 45
  case FMix = 46
  case IMix = 47
  case Step = 48
  case SmoothStep = 49
  case Fma = 50
  case Frexp = 51
  case FrexpStruct = 52
  case Ldexp = 53
  case PackSnorm4x8 = 54
  case PackUnorm4x8 = 55
  case PackSnorm2x16 = 56
  case PackUnorm2x16 = 57
  case PackHalf2x16 = 58
  case PackDouble2x32 = 59
  case UnpackSnorm2x16 = 60
  case UnpackUnorm2x16 = 61
  case UnpackHalf2x16 = 62
  case UnpackSnorm4x8 = 63
  case UnpackUnorm4x8 = 64
  case UnpackDouble2x32 = 65
  case Length = 66
  case Distance = 67
  case Cross = 68
  case Normalize = 69
  case FaceForward = 70
  case Reflect = 71
  case Refract = 72
  case FindILsb = 73
  case FindSMsb = 74
  case FindUMsb = 75
  case InterpolateAtCentroid = 76
  case InterpolateAtSample = 77
  case InterpolateAtOffset = 78
  case NMin = 79
  case NMax = 80
  case NClamp = 81

  /// The name of the set in a module.
  package static let setName = "GLSL.std.450"
}

/// What the machine tells a compute shader about an invocation, spelled as in the SPIR-V specification.
package enum BuiltIn: UInt32, Sendable, Hashable {
  case NumWorkgroups = 24
  case WorkgroupSize = 25
  case WorkgroupId = 26
  case LocalInvocationId = 27
  case GlobalInvocationId = 28
  case LocalInvocationIndex = 29
  case SubgroupSize = 36
  case NumSubgroups = 38
  case SubgroupId = 40
  case SubgroupLocalInvocationId = 41
  case SubgroupEqMask = 4416
  case SubgroupGeMask = 4417
  case SubgroupGtMask = 4418
  case SubgroupLeMask = 4419
  case SubgroupLtMask = 4420

  /// How many integers of 32 bits it is.
  var componentCount: Int {
    switch self {
    case .NumWorkgroups, .WorkgroupSize, .WorkgroupId, .LocalInvocationId, .GlobalInvocationId: 3
    case .SubgroupEqMask, .SubgroupGeMask, .SubgroupGtMask, .SubgroupLeMask, .SubgroupLtMask: 4
    case .LocalInvocationIndex, .SubgroupSize, .NumSubgroups, .SubgroupId, .SubgroupLocalInvocationId: 1
    }
  }

  /// Whether its value has a meaning only in a full subgroup.
  package var isAboutSubgroups: Bool {
    switch self {
    case .SubgroupSize, .NumSubgroups, .SubgroupId, .SubgroupLocalInvocationId, .SubgroupEqMask, .SubgroupGeMask, .SubgroupGtMask,
      .SubgroupLeMask, .SubgroupLtMask:
      true
    default: false
    }
  }
}

/// What is said about a result or a member besides its type, spelled as in the SPIR-V specification.
///
/// Only the decorations that change what a compute shader computes or how it is bound have a name here; others are kept as numbers.
package struct Decoration: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let RelaxedPrecision = Decoration(rawValue: 0)
  package static let SpecId = Decoration(rawValue: 1)
  package static let Block = Decoration(rawValue: 2)
  package static let BufferBlock = Decoration(rawValue: 3)
  package static let RowMajor = Decoration(rawValue: 4)
  package static let ColMajor = Decoration(rawValue: 5)
  package static let ArrayStride = Decoration(rawValue: 6)
  package static let MatrixStride = Decoration(rawValue: 7)
  package static let BuiltIn = Decoration(rawValue: 11)
  package static let NonWritable = Decoration(rawValue: 24)
  package static let NonReadable = Decoration(rawValue: 25)
  package static let Binding = Decoration(rawValue: 33)
  package static let DescriptorSet = Decoration(rawValue: 34)
  package static let Offset = Decoration(rawValue: 35)
  package static let NoContraction = Decoration(rawValue: 42)
}

/// Where a variable lives, spelled as in the SPIR-V specification.
package enum StorageClass: UInt32, Sendable, Hashable {
  case UniformConstant = 0
  case Input = 1
  case Uniform = 2
  case Output = 3
  case Workgroup = 4
  case CrossWorkgroup = 5
  case Private = 6
  case Function = 7
  case Generic = 8
  case PushConstant = 9
  case AtomicCounter = 10
  case Image = 11
  case StorageBuffer = 12
  case PhysicalStorageBuffer = 5349
}

/// The image operands of an instruction that reads a texture: a mask, and behind it the operands that its bits announce, in the order of the bits.
package struct ImageOperands: Sendable {
  /// The operands that say which texels are read, spelled as in the SPIR-V specification.
  package enum Operand: UInt32, Sendable {
    case Lod = 0x2
    case Grad = 0x4
    case ConstOffset = 0x8
    case Offset = 0x10
    case ConstOffsets = 0x20
    case Offsets = 0x10000
  }

  private let mask: UInt32
  private let first: Int

  /// - Parameters:
  ///   - operands: The words behind the result of the instruction.
  ///   - position: Where the mask stands in them, if there is one.
  package init(_ operands: some Collection<UInt32>, maskAt position: Int) {
    mask = operands.dropFirst(position).first ?? 0
    first = position + 1
  }

  /// Where an operand stands among the operands of the instruction; nil without it.
  ///
  /// `Grad` has two, one behind the other.
  package subscript(operand: Operand) -> Int? {
    guard mask & operand.rawValue != 0 else { return nil }
    let before = mask & (operand.rawValue - 1) & Self.bitsWithOperand
    return first + before.nonzeroBitCount + (before & Operand.Grad.rawValue != 0 ? 1 : 0)
  }

  private static let bitsWithOperand: UInt32 = 0x103FF
}
