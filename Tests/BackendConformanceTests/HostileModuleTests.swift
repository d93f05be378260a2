import EtalonCPU
import EtalonDiagnostics
import EtalonIntervals
import EtalonPlan
import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

/// Damaged and hostile modules: a diagnostic or a picture, never a crash, a hang or a read outside memory.
@Suite struct HostileModuleTests {
  /// What became of a module.
  private enum Fate: Hashable {
    case rendered, unreadable, refused, stopped
  }

  /// Parses, lowers and runs a module on 16×16 pixels with few steps.
  private static func fate(of words: [UInt32], on set: InstructionSet = .best) throws -> Fate {
    let kernel: Kernel
    do {
      kernel = Kernel(name: "hostile", words: words, interface: try Reflection(SPIRVModule(words)).interface())
    } catch {
      return .unreadable
    }
    let inputs = KernelInputs(kernel, size: Size(16, 16))
    guard let plan = try? PlanChecker().check(inputs.plan) else { return .refused }
    let backend = CPUBackend(.init(threadCount: 1, instructionSet: set, timeout: .seconds(20), stepLimit: 2000))
    let execution: any PlanExecution
    do throws(RenderError) {
      execution = try backend.prepare(plan, imports: inputs.imports, framesInFlight: 1)
    } catch {
      try #require(error.code != .internalError, "\(error.message)")
      return .refused
    }
    do throws(RenderError) {
      try execution.submit(FrameValues(frame: 0, uniforms: [inputs.uniforms])).release()
      return .rendered
    } catch {
      return .stopped
    }
  }

  /// Ten thousand modules, each of which differs in one to four words from one that works.
  @Test(arguments: 0..<10)
  func mutated(_ series: Int) throws {
    let files = [
      "float/arithmetic.comp", "control/nested-loops.comp", "control/switches.comp", "array/large.comp", "structure/nested.comp",
      "function/references.comp", "matrix/columns.comp", "texture/sample.comp", "shared/atomics.comp", "subgroup/ballots.comp",
      "storage/store.comp", "subgroup/quads.comp", "pack/bytes.comp", "control/nested-loops-with-phis.spvasm",
    ].filter { KernelFile.names.contains($0) }
    let modules = try files.map { try KernelFile($0).kernel().words }
    var random = SeededNumbers(seed: UInt64(series) + 100)
    var fates: [Fate: Int] = [:]
    for number in 0..<1000 {
      var words = modules[number % modules.count]
      for _ in 0...Int(random.next() % 4) { Self.damage(&words, &random) }
      fates[try Self.fate(of: words), default: 0] += 1
    }
    #expect(fates[.unreadable, default: 0] > 0 && fates[.rendered, default: 0] > 0, "\(fates)")
  }

  private static func damage(_ words: inout [UInt32], _ random: inout SeededNumbers) {
    let at = 5 + Int(random.next() % UInt64(words.count - 5)), word = UInt32(truncatingIfNeeded: random.next())
    switch random.next() % 8 {
    case 0: words[at] = word
    case 1: words[at] ^= 1 << (word % 32)
    case 2: words[at] = words[5 + Int(word) % (words.count - 5)]
    case 3: words[at] = word % words[3]
    case 4: words[at] &+= 1
    case 5: words[at] = words[at] & 0xffff_0000 | word % 400
    case 6: words.removeSubrange(at..<min(at + Int(word % 4), words.count))
    default: words.removeLast(Int(word) % (words.count / 4))
    }
    while words.count < 6 { words.append(0) }
  }

  @Test func wrongHeaders() throws {
    let words = try KernelFile("control/switches.comp").kernel().words
    for word in 0..<5 {
      for value: UInt32 in [0, 1, 0x7fff_ffff, 0x8000_0000, .max] where words[word] != value {
        var damaged = words
        damaged[word] = value
        #expect(try Self.fate(of: damaged) != .stopped)
      }
    }
  }

  /// Every number in a module, one after the other, as those at which sums, products and conversions end.
  @Test(arguments: [
    "array/large.comp", "structure/nested.comp", "matrix/columns.comp", "texture/sample.comp", "shared/atomics.comp",
    "storage/store.comp", "control/switches.comp", "frames/counter.comp",
  ])
  func extremeNumbers(_ name: String) throws {
    let words = try KernelFile(name).kernel().words
    var count = 0
    for at in Self.places(ofNumbersIn: words) {
      for value: UInt32 in [0, 1, 3, 0xffff, 1 << 20, 1 << 24, 1 << 26, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, .max] {
        var changed = words
        changed[at] = value
        _ = try Self.fate(of: changed)
        count += 1
      }
    }
    #expect(count > 20)
  }

  /// Intervals follow the modules that the executor runs: no constant and no type of a variable leads out of what they know.
  @Test(arguments: ["subgroup/quads.comp", "structure/nested.comp", "array/large.comp"])
  func intervalsOfDamagedModules(_ name: String) throws {
    let words = try KernelFile(name).kernel().words
    let pointees = Self.places(of: .OpTypePointer, word: 3, in: words)
    let numbers = Self.places(of: .OpConstant, word: 3, in: words)
    let extremes: [UInt32] = [0, 1, 3, 4, 255, 0x7fff_ffff, .max]
    let types = Set(pointees.map { words[$0] }).sorted()
    let changes: [(Int, UInt32)] = numbers.flatMap { at in extremes.map { (at, $0) } } + pointees.flatMap { at in types.map { (at, $0) } }
    var followed = 0
    for (at, value) in changes {
      var changed = words
      changed[at] = value
      if try Self.follow(changed) { followed += 1 }
    }
    #expect(followed > changes.count / 4)
  }

  /// Follows the intervals of one pixel; false for a module that is refused.
  private static func follow(_ words: [UInt32]) throws -> Bool {
    guard let interface = try? Reflection(SPIRVModule(words)).interface() else { return false }
    let inputs = KernelInputs(Kernel(name: "hostile", words: words, interface: interface), size: Size(16, 16))
    guard let plan = try? PlanChecker().check(inputs.plan) else { return false }
    let values = FrameValues(frame: 0, uniforms: [inputs.uniforms])
    let frame = try FrameIntervals(plan.plan, values, imports: inputs.imports, placesQuads: true)
    do throws(Stop) { _ = try frame.words(x: 1, y: 1, steps: 20_000) } catch { #expect(!error.words.isEmpty) }
    return true
  }

  /// Positions, levels, slopes and offsets of textures that are other values of the module: of other kinds, with too few numbers, or no values at all.
  @Test(arguments: [
    "texture/fetch.comp", "texture/fetch-offset.comp", "texture/sample.comp", "texture/gradient.comp", "texture/offset-projective.comp",
    "texture/gather-offsets.comp", "texture/volume.comp", "texture/cube.comp", "storage/store.comp",
  ])
  func operandsOfTextures(_ name: String) throws {
    let words = try KernelFile(name).kernel().words
    let opcodes: [Opcode] = [
      .OpImageFetch, .OpImageSampleExplicitLod, .OpImageSampleProjExplicitLod, .OpImageGather, .OpImageRead, .OpImageWrite,
    ]
    let places = opcodes.flatMap { opcode in
      (opcode == .OpImageWrite ? 1...3 : 3...8).flatMap { Self.places(of: opcode, word: $0, in: words) }
    }
    try #require(!places.isEmpty)
    var fates: [Fate: Int] = [:]
    for (number, at) in places.enumerated() {
      for id in stride(from: 1 + UInt32(number % 3), to: words[3], by: 3) where id != words[at] {
        var changed = words
        changed[at] = id
        fates[try Self.fate(of: changed), default: 0] += 1
        _ = try Self.follow(changed)
      }
    }
    #expect(fates[.unreadable, default: 0] > 0 && fates[.rendered, default: 0] > 0, "\(fates)")
  }

  private static func places(of opcode: Opcode, word: Int, in words: [UInt32]) -> [Int] {
    var places: [Int] = []
    var offset = 5
    while offset < words.count {
      let count = Int(words[offset] >> 16)
      if Opcode(rawValue: UInt16(words[offset] & 0xffff)) == opcode, word < count { places.append(offset + word) }
      offset += max(count, 1)
    }
    return places
  }

  /// Where constants, sizes of workgroups and the numbers of decorations stand.
  private static func places(ofNumbersIn words: [UInt32]) -> [Int] {
    var places: [Int] = []
    var offset = 5
    while offset < words.count {
      let count = Int(words[offset] >> 16)
      let first: Int? =
        switch Opcode(rawValue: UInt16(words[offset] & 0xffff)) {
        case .OpConstant?, .OpDecorate?, .OpExecutionMode?: 3
        case .OpMemberDecorate?, .OpTypeVector?, .OpTypeMatrix?: 4
        default: nil
        }
      if let first, first < count { places += offset + first..<offset + count }
      offset += max(count, 1)
    }
    return places
  }

  /// Every id that an instruction names, one after the other, beyond the bound of the module.
  @Test func idsOutOfRange() throws {
    let words = try KernelFile("structure/nested.comp").kernel().words
    for at in stride(from: 5, to: words.count, by: 3) where words[at] > 0 && words[at] < words[3] {
      var damaged = words
      damaged[at] = words[3] + words[at]
      _ = try Self.fate(of: damaged)
    }
  }

  @Test func manyInstructions() throws {
    let lines = (0..<20_000).map { "  x = x * 0.5 + y[\($0 % 4)];" }.joined(separator: "\n")
    let fate = try Self.fate(ofGLSL: "float x = 1.0;\n  vec4 y = vec4(pixel, 3, 4);\n\(lines)\n  finish(pixel, vec4(x));")
    #expect(fate == .rendered)
  }

  @Test func deepNesting() throws {
    let depth = 1000
    let open = (0..<depth).map { "if (n > \($0)u) { n++;" }.joined(separator: "\n"), close = String(repeating: "}", count: depth)
    let fate = try Self.fate(ofGLSL: "uint n = uint(pixel.x) * 100u;\n\(open)\n\(close)\n  finish(pixel, uvec4(n));")
    #expect(fate == .rendered || fate == .refused || fate == .unreadable)
  }

  private static func fate(ofGLSL body: String) throws -> Fate {
    let text = """
      #version 460
      #extension GL_GOOGLE_include_directive : require
      #include "region.glsl"
      void main() {
        ivec2 pixel = pixelOf(gl_LocalInvocationIndex);
        \(body)
      }
      """
    return try fate(of: KernelTools.words(of: text))
  }

  @Test func truncated() throws {
    let words = try KernelFile("control/switches.comp").kernel().words
    for count in stride(from: 0, to: words.count, by: 7) { #expect(try Self.fate(of: Array(words[..<count])) != .rendered) }
  }
}
