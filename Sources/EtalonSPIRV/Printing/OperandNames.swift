/// The names of numbers in operands.
///
/// They are kept as text and taken apart when something is printed for the first time. A name has the number after that of the one before; a
/// number in between sets the number of the next. Of flags the position of the bit counts.
enum OperandNames {
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
