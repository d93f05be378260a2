import ArgumentParser
import Etalon
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Foundation

/// Writes what the driver gets to see of a shader, so that a program that knows nothing of Etalon can run the same kernel.
struct KernelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernel", abstract: "Writes the SPIR-V that a shader runs as, and the values that it is given.",
    discussion: """
      Writes STEM.spv (hardened, as a driver gets it), STEM.uniforms (the uniform block of frame 0) and STEM.push (the region of one \
      dispatch), and prints the options that Tests/Benchmarks/dispatch needs to run them.
      """)

  @Argument(help: "The shader.") var shader: String
  @Option(help: "Width and height in pixels.") var size = "1920x1080"
  @Option(name: .short, help: ArgumentHelp("Where to write, without an extension.", valueName: "stem")) var output: String

  /// How far apart the two frames are whose values give the change from frame to frame.
  private static let span = 60

  func run() throws {
    let shot = try BenchmarkShader(path: shader, size: size).shot
    guard shot.kernels.count == 1, let kernel = shot.kernels.first else {
      throw BenchmarkError(description: "'\(shader)' has \(shot.kernels.count) passes, and only one can be timed alone")
    }
    guard let target = kernel.interface.resources.first, kernel.interface.resources.count == 1, target.kind == .storageBuffer else {
      throw BenchmarkError(description: "'\(shader)' reads pictures, which are not written out")
    }
    try write(Hardening.harden(SPIRVModule(kernel.words)), to: "\(output).spv")
    let region = DispatchRegion(originX: 0, originY: 0, endX: shot.size.width, endY: shot.size.height)
    try write(region.words, to: "\(output).push")
    var options = "--entry \(kernel.interface.entryPoint) --output 0.\(target.binding) --push \(output).push"
    if let block = kernel.interface.uniforms {
      let (first, later) = (try shot.values(of: 0).uniforms[0], try shot.values(of: Self.span).uniforms[0])
      try write(first, to: "\(output).uniforms")
      options += " --uniforms 0.\(block.binding)=\(output).uniforms"
      for member in block.members { options += change(of: member, in: block, from: first, to: later) }
    }
    print(options)
  }

  private func write<Element: BitwiseCopyable>(_ elements: [Element], to path: String) throws {
    try unsafe elements.withUnsafeBytes { try unsafe Data($0).write(to: URL(filePath: path)) }
  }

  /// The option that lets a number grow from frame to frame as it does in a shot.
  private func change(
    of member: KernelInterface.Member, in block: KernelInterface.Block, from first: [UInt8], to later: [UInt8]
  ) -> String {
    guard member.arrayLength == nil, member.type == "float" || member.type == "int" else { return "" }
    let isFloat = member.type == "float"
    func value(_ bytes: [UInt8]) -> Double {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[member.offset + $1]) << (8 * UInt32($1)) }
      return isFloat ? Double(Float(bitPattern: bits)) : Double(Int32(bitPattern: bits))
    }
    let start = value(first)
    let step = (value(later) - start) / Double(Self.span)
    return step == 0 ? "" : " --\(member.type) 0.\(block.binding):\(member.offset)=\(start)+\(step)"
  }
}
