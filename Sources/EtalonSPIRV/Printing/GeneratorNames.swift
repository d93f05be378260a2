/// The registered names of tools that make modules.
enum GeneratorNames {
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
