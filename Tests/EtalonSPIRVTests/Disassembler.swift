import Foundation

@testable import EtalonSPIRV

/// Writes a module in the assembly language, with numbers for ids.
///
/// The text is that of `spirv-dis --no-color --raw-id`:
///
/// ```
///                OpEntryPoint GLCompute %4 "main" %9
///           %6 = OpTypeFloat 32
/// ```
struct Disassembler: Sendable {
  private let module: SPIRVModule
  private static let resultColumn = 15

  init(_ module: SPIRVModule) { self.module = module }

  /// The header and all instructions, ending in a newline.
  func text() -> String {
    var text = header()
    var offset = 5
    while offset < module.words.count {
      text += line(at: offset) + "\n"
      offset += Int(module.words[offset] >> 16)
    }
    return text
  }

  /// One instruction, without the space before it.
  func text(_ instruction: Instruction) -> String {
    String(line(at: instruction.start).drop { $0 == " " })
  }

  private func header() -> String {
    let header = module.header
    let tool = GeneratorNames.name(header.generator >> 16) ?? "Unknown(\(header.generator >> 16))"
    return """
      ; SPIR-V
      ; Version: \(header.majorVersion).\(header.minorVersion)
      ; Generator: \(tool); \(header.generator & 0xFFFF)
      ; Bound: \(header.idBound)
      ; Schema: \(header.schema)

      """
  }

  private func line(at offset: Int) -> String {
    let words = module.words
    guard let code = OpcodeTable.shared.code(words[offset] & 0xFFFF) else { return "" }
    let first = offset + code.firstOperand
    let result = code.hasResult ? "%\(words[first - 1]) = " : ""
    var text = String(repeating: " ", count: max(0, Self.resultColumn - result.count)) + result + "\(code.opcode)"
    if code.hasResultType { text += " %\(words[offset + 1])" }
    let literals = LiteralType(code, at: offset, in: module)
    var reader = OperandReader(words, from: first, to: offset + Int(words[offset] >> 16), selectorWords: literals.wordCount)
    _ = reader.read(OpcodeTable.shared.shape(code.opcode)) { kind, range in
      text += " " + operand(kind, words[range], literals)
    }
    return text
  }

  private func operand(_ kind: OperandKind, _ words: ArraySlice<UInt32>, _ literals: LiteralType) -> String {
    let word = words[words.startIndex]
    switch kind {
    case .id: return "%\(word)"
    case .string: return quoted(SPIRVString.decode(words).text)
    case .constantLiteral: return literals.text(words)
    case .constantOperation: return OpcodeTable.shared.code(word).map { String("\($0.opcode)".dropFirst(2)) } ?? "\(word)"
    case .extendedInstruction: return literals.instructionName(word) ?? "\(word)"
    default: return OperandNames.name(word, kind) ?? "\(word)"
    }
  }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}

/// What the numbers of an instruction mean that depend on other instructions.
private struct LiteralType {
  private let type: ModuleType?
  private let instructionSet: String?

  init(_ code: OpcodeTable.Code, at offset: Int, in module: SPIRVModule) {
    let words = module.words
    switch code.opcode {
    case .OpConstant, .OpSpecConstant: type = module.typeIfAny(Id(words[offset + 1]))
    case .OpSwitch: type = module.typeOfValue(Id(words[offset + 1])).flatMap { module.typeIfAny($0) }
    default: type = nil
    }
    instructionSet = code.opcode == .OpExtInst ? module.extendedInstructionSets[Id(words[offset + 3])] : nil
  }

  /// The words of a literal of an `OpSwitch`.
  var wordCount: Int {
    if case .int(64, _) = type { 2 } else { 1 }
  }

  func text(_ words: ArraySlice<UInt32>) -> String {
    let bits = words.reversed().reduce(UInt64(0)) { $0 << 32 | UInt64($1) }
    switch type {
    case .int(64, true): return "\(Int64(bitPattern: bits))"
    case .int(_, true): return "\(Int32(truncatingIfNeeded: bits))"
    case .float(let width): return FloatText.text(bits, width: width)
    default: return "\(bits)"
    }
  }

  func instructionName(_ number: UInt32) -> String? {
    guard instructionSet == GLSLInstruction.setName else { return nil }
    return GLSLInstruction(rawValue: number).map { "\($0)" }
  }
}

// MARK: - Numbers

/// Writes floating-point numbers as the assembly language has them: decimal if that is exact to read back, else hexadecimal.
private enum FloatText {
  /// The text of the bits of a number of 16, 32 or 64 bits.
  static func text(_ bits: UInt64, width: Int) -> String {
    switch width {
    case 32:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      return value.isNormal || value.isZero ? String(format: "%.9g", Double(value)) : hexadecimal(bits, exponentBits: 8, fractionBits: 23)
    case 64:
      let value = Double(bitPattern: bits)
      return value.isNormal || value.isZero ? String(format: "%.17g", value) : hexadecimal(bits, exponentBits: 11, fractionBits: 52)
    default: return hexadecimal(bits, exponentBits: 5, fractionBits: 10)
    }
  }

  private static func hexadecimal(_ bits: UInt64, exponentBits: UInt64, fractionBits: UInt64) -> String {
    let bias = (Int(1) << (exponentBits - 1)) - 1
    let sign = bits >> (exponentBits + fractionBits) & 1 == 1 ? "-" : ""
    var exponent = Int(bits >> fractionBits & (1 << exponentBits - 1)) - bias
    var fraction = bits & (1 << fractionBits - 1)
    if exponent == -bias, fraction == 0 { return sign + "0x0p+0" }
    if exponent == -bias {
      exponent += 1
      while fraction >> fractionBits == 0 {
        fraction <<= 1
        exponent -= 1
      }
      fraction &= 1 << fractionBits - 1
    }
    let digits = digits(of: fraction, bits: fractionBits)
    return "\(sign)0x1\(digits.isEmpty ? "" : "." + digits)p\(exponent < 0 ? "" : "+")\(exponent)"
  }

  /// The fraction in hexadecimal, without zeros at its end.
  private static func digits(of fraction: UInt64, bits: UInt64) -> String {
    let count = (bits + 3) / 4
    let aligned = fraction << (count * 4 - bits)
    var text = String(aligned, radix: 16)
    text = String(repeating: "0", count: Int(count) - text.count) + text
    while text.last == "0" { text.removeLast() }
    return text
  }
}

// MARK: - Names

/// The names of numbers in operands.
///
/// They are kept as text and taken apart when something is printed for the first time. A name has the number after that of the one before; a
/// number in between sets the number of the next. Of flags the position of the bit counts.
private enum OperandNames {
  /// The name of a value, nil when it has none; of flags, all names.
  static func name(_ value: UInt32, _ kind: OperandKind) -> String? {
    guard kind.isMask else { return tables[kind]?[value] }
    if value == 0 { return "None" }
    let names = (UInt32(0)..<32).filter { value >> $0 & 1 == 1 }.map { tables[kind]?[$0] }
    return names.contains(nil) ? nil : names.compactMap { $0 }.joined(separator: "|")
  }

  private static let tables: [OperandKind: [UInt32: String]] = texts.mapValues { text in
    var table: [UInt32: String] = [:]
    var next: UInt32 = 0
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let number = UInt32(word) {
        next = number
      } else {
        table[next] = String(word)
        next += 1
      }
    }
    return table
  }

  private static let texts: [OperandKind: String] = [
    .imageOperands: """
    Bias Lod Grad ConstOffset Offset ConstOffsets Sample MinLod MakeTexelAvailable MakeTexelVisible NonPrivateTexel VolatileTexel
    SignExtend ZeroExtend Nontemporal 16 Offsets
    """,
    .selectionControl: "Flatten DontFlatten",
    .loopControl:
      "Unroll DontUnroll DependencyInfinite DependencyLength MinIterations MaxIterations IterationMultiple PeelCount PartialCount",
    .functionControl: "Inline DontInline Pure Const",
    .memoryAccess: "Volatile Aligned Nontemporal MakePointerAvailable MakePointerVisible NonPrivatePointer",
    .sourceLanguage: "Unknown ESSL GLSL OpenCL_C OpenCL_CPP HLSL CPP_for_OpenCL SYCL",
    .executionModel: "Vertex TessellationControl TessellationEvaluation Geometry Fragment GLCompute Kernel 5364 TaskEXT",
    .addressingModel: "Logical Physical32 Physical64 5348 PhysicalStorageBuffer64",
    .memoryModel: "Simple GLSL450 OpenCL Vulkan",
    .executionMode: """
    Invocations SpacingEqual SpacingFractionalEven SpacingFractionalOdd VertexOrderCw VertexOrderCcw PixelCenterInteger
    OriginUpperLeft OriginLowerLeft EarlyFragmentTests PointMode Xfb DepthReplacing 14 DepthGreater DepthLess DepthUnchanged
    LocalSize LocalSizeHint InputPoints InputLines InputLinesAdjacency Triangles InputTrianglesAdjacency Quads Isolines
    OutputVertices OutputPoints OutputLineStrip OutputTriangleStrip VecTypeHint ContractionOff 33 Initializer Finalizer SubgroupSize
    SubgroupsPerWorkgroup SubgroupsPerWorkgroupId LocalSizeId LocalSizeHintId 4421 SubgroupUniformControlFlowKHR 4446
    PostDepthCoverage 4459 DenormPreserve DenormFlushToZero SignedZeroInfNanPreserve RoundingModeRTE RoundingModeRTZ
    """,
    .storageClass: """
    UniformConstant Input Uniform Output Workgroup CrossWorkgroup Private Function Generic PushConstant AtomicCounter Image
    StorageBuffer 5349 PhysicalStorageBuffer 5402 TaskPayloadWorkgroupEXT
    """,
    .dim: "1D 2D 3D Cube Rect Buffer SubpassData",
    .imageFormat: """
    Unknown Rgba32f Rgba16f R32f Rgba8 Rgba8Snorm Rg32f Rg16f R11fG11fB10f R16f Rgba16 Rgb10A2 Rg16 Rg8 R16 R8 Rgba16Snorm Rg16Snorm
    Rg8Snorm R16Snorm R8Snorm Rgba32i Rgba16i Rgba8i R32i Rg32i Rg16i Rg8i R16i R8i Rgba32ui Rgba16ui Rgba8ui R32ui Rgb10a2ui Rg32ui
    Rg16ui Rg8ui R16ui R8ui R64ui R64i
    """,
    .roundingMode: "RTE RTZ RTP RTN",
    .linkageType: "Export Import LinkOnceODR",
    .accessQualifier: "ReadOnly WriteOnly ReadWrite",
    .functionParameterAttribute: "Zext Sext ByVal Sret NoAlias NoCapture NoWrite NoReadWrite",
    .decoration: """
    RelaxedPrecision SpecId Block BufferBlock RowMajor ColMajor ArrayStride MatrixStride GLSLShared GLSLPacked CPacked BuiltIn 13
    NoPerspective Flat Patch Centroid Sample Invariant Restrict Aliased Volatile Constant Coherent NonWritable NonReadable Uniform
    UniformId SaturatedConversion Stream Location Component Index Binding DescriptorSet Offset XfbBuffer XfbStride FuncParamAttr
    FPRoundingMode FPFastMathMode LinkageAttributes NoContraction InputAttachmentIndex Alignment MaxByteOffset AlignmentId
    MaxByteOffsetId 4469 NoSignedWrap NoUnsignedWrap 5285 PerVertexKHR 5300 NonUniform 5355 RestrictPointer AliasedPointer 5634
    CounterBuffer UserSemantic UserTypeGOOGLE
    """,
    .builtIn: """
    Position PointSize 3 ClipDistance CullDistance VertexId InstanceId PrimitiveId InvocationId Layer ViewportIndex TessLevelOuter
    TessLevelInner TessCoord PatchVertices FragCoord PointCoord FrontFacing SampleId SamplePosition SampleMask 22 FragDepth
    HelperInvocation NumWorkgroups WorkgroupSize WorkgroupId LocalInvocationId GlobalInvocationId LocalInvocationIndex WorkDim
    GlobalSize EnqueuedWorkgroupSize GlobalOffset GlobalLinearId 36 SubgroupSize SubgroupMaxSize NumSubgroups NumEnqueuedSubgroups
    SubgroupId SubgroupLocalInvocationId VertexIndex InstanceIndex 4416 SubgroupEqMask SubgroupGeMask SubgroupGtMask SubgroupLeMask
    SubgroupLtMask 4424 BaseVertex BaseInstance DrawIndex 4438 DeviceIndex 4440 ViewIndex 5264 FullyCoveredEXT 5292 FragSizeEXT
    FragInvocationCountEXT PrimitivePointIndicesEXT PrimitiveLineIndicesEXT PrimitiveTriangleIndicesEXT
    """,
    .groupOperation: "Reduce InclusiveScan ExclusiveScan ClusteredReduce",
    .capability: """
    Matrix Shader Geometry Tessellation Addresses Linkage Kernel Vector16 Float16Buffer Float16 Float64 Int64 Int64Atomics
    ImageBasic ImageReadWrite ImageMipmap 17 Pipes Groups DeviceEnqueue LiteralSampler AtomicStorage Int16 TessellationPointSize
    GeometryPointSize ImageGatherExtended 27 StorageImageMultisample UniformBufferArrayDynamicIndexing
    SampledImageArrayDynamicIndexing StorageBufferArrayDynamicIndexing StorageImageArrayDynamicIndexing ClipDistance CullDistance
    ImageCubeArray SampleRateShading ImageRect SampledRect GenericPointer Int8 InputAttachment SparseResidency MinLod Sampled1D
    Image1D SampledCubeArray SampledBuffer ImageBuffer ImageMSArray StorageImageExtendedFormats ImageQuery DerivativeControl
    InterpolationFunction TransformFeedback GeometryStreams StorageImageReadWithoutFormat StorageImageWriteWithoutFormat
    MultiViewport SubgroupDispatch NamedBarrier PipeStorage GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic
    GroupNonUniformBallot GroupNonUniformShuffle GroupNonUniformShuffleRelative GroupNonUniformClustered GroupNonUniformQuad
    ShaderLayer ShaderViewportIndex UniformDecoration 4423 SubgroupBallotKHR 4427 DrawParameters WorkgroupMemoryExplicitLayoutKHR
    WorkgroupMemoryExplicitLayout8BitAccessKHR WorkgroupMemoryExplicitLayout16BitAccessKHR SubgroupVoteKHR 4433
    StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess StoragePushConstant16 StorageInputOutput16 DeviceGroup 4439
    MultiView 4441 VariablePointersStorageBuffer VariablePointers 4445 AtomicStorageOps 4447 SampleMaskPostDepthCoverage
    StorageBuffer8BitAccess UniformAndStorageBuffer8BitAccess StoragePushConstant8 4464 DenormPreserve DenormFlushToZero
    SignedZeroInfNanPreserve RoundingModeRTE RoundingModeRTZ 5016 Int64ImageEXT 5055 ShaderClockKHR 5254 ShaderViewportIndexLayerEXT
    5301 ShaderNonUniform RuntimeDescriptorArray InputAttachmentArrayDynamicIndexing UniformTexelBufferArrayDynamicIndexing
    StorageTexelBufferArrayDynamicIndexing UniformBufferArrayNonUniformIndexing SampledImageArrayNonUniformIndexing
    StorageBufferArrayNonUniformIndexing StorageImageArrayNonUniformIndexing InputAttachmentArrayNonUniformIndexing
    UniformTexelBufferArrayNonUniformIndexing StorageTexelBufferArrayNonUniformIndexing 5345 VulkanMemoryModel
    VulkanMemoryModelDeviceScope PhysicalStorageBufferAddresses 5379 DemoteToHelperInvocation 5612 AtomicFloat32MinMaxEXT
    AtomicFloat64MinMaxEXT 5616 AtomicFloat16MinMaxEXT 5629 ExpectAssumeKHR 6016 DotProductInputAll DotProductInput4x8Bit
    DotProductInput4x8BitPacked DotProduct 6025 BitInstructions GroupNonUniformRotateKHR 6033 AtomicFloat32AddEXT
    AtomicFloat64AddEXT 6095 AtomicFloat16AddEXT 6400 GroupUniformArithmeticKHR
    """,
    .packedVectorFormat: "PackedVectorFormat4x8Bit",
  ]
}

/// The registered names of tools that make modules.
private enum GeneratorNames {
  /// The name of a tool by its number, nil when it is not known.
  static func name(_ number: UInt32) -> String? { number < names.count ? names[Int(number)] : nil }

  private static let names = [
    "Khronos", "LunarG", "Valve", "Codeplay", "NVIDIA", "ARM", "Khronos LLVM/SPIR-V Translator", "Khronos SPIR-V Tools Assembler",
    "Khronos Glslang Reference Front End", "Qualcomm", "AMD", "Intel", "Imagination", "Google Shaderc over Glslang", "Google spiregg",
    "Google rspirv", "X-LEGEND Mesa-IR/SPIR-V Translator", "Khronos SPIR-V Tools Linker", "Wine VKD3D Shader Compiler",
    "Tellusim Clay Shader Compiler", "W3C WebGPU Group WHLSL Shader Translator", "Google Clspv", "Google MLIR SPIR-V Serializer",
    "Google Tint Compiler",
  ]
}
