import EtalonSPIRV
import Testing

/// How large functions become when every call is replaced by what it calls.
@Suite struct InlinedSizeTests {
  private static func module(levels: Int) throws -> SPIRVModule {
    // %10 is the entry point; %(100 + n) calls %(99 + n) twice.
    var text: [String] = [
      "OpCapability Shader", "OpMemoryModel Logical GLSL450", "OpEntryPoint GLCompute %10 \"main\"",
      "OpExecutionMode %10 LocalSize 1 1 1", "OpName %100 \"f0(\"", "%2 = OpTypeVoid", "%3 = OpTypeFunction %2",
    ]
    func function(_ id: Int, calls callee: Int?) {
      text += ["%\(id) = OpFunction %2 None %3", "%\(id + 1000) = OpLabel"]
      if let callee { text += (0..<2).map { "%\(id + 2000 + 1000 * $0) = OpFunctionCall %2 %\(callee)" } }
      text += ["OpReturn", "OpFunctionEnd"]
    }
    for level in 0...levels { function(100 + level, calls: level == 0 ? nil : 99 + level) }
    function(10, calls: 100 + levels)
    return try SPIRVModule(Assembly.words(text.joined(separator: "\n")))
  }

  @Test func sizesAddUp() throws {
    let sizes = InlinedSize(try Self.module(levels: 3))
    // The label and the return of a function, and its calls.
    let functions: [UInt32] = [100, 101, 102, 103]
    #expect(functions.map { sizes[Id($0)] } == [2, 8, 20, 44])
    #expect(sizes[Id(10)] == 92)
    let call = try #require(sizes.heaviestCall(from: Id(10), above: 10))
    #expect(call.caller == Id(102) && call.callee == Id(101) && call.size == 8)
  }

  @Test(arguments: [38, 60, 200]) func sizesEnd(_ levels: Int) throws {
    let sizes = InlinedSize(try Self.module(levels: levels))
    #expect(sizes[Id(10)] == InlinedSize.largest)
    let call = try #require(sizes.heaviestCall(from: Id(10), above: InlinedSize.most))
    #expect(call.size <= InlinedSize.most && sizes[call.caller] > InlinedSize.most)
  }
}

/// Words of assembly text.
private enum Assembly {
  static func words(_ text: String) throws -> [UInt32] {
    let printed = try Tool.run(
      "sh", ["-c", "printf '%s' \"$0\" | spirv-as --preserve-numeric-ids --target-env spv1.3 -o - - | od -An -v -tx4", text])
    return printed.split { $0 == " " || $0 == "\n" }.compactMap { UInt32($0, radix: 16) }
  }
}
