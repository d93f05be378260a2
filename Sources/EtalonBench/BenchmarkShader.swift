import ArgumentParser
import Etalon
import EtalonCPU
import EtalonMedia
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Foundation

/// A ShaderToy file that is measured, prepared just as `etalon render` prepares it.
struct BenchmarkShader {
  let shot: Shot
  private let renderer = ShotRenderer()

  /// - Parameter size: such as `1920x1080`.
  init(path: String, size: String) throws {
    var request = RenderRequest(filter: .file(path))
    request.size = try Self.size(size)
    shot = try renderer.prepare(request)
  }

  /// Prepares a shader on the CPU executor; a filter reads the picture between its pixels, and repeats the edge.
  init(path: String, size: String, picture: String?) throws {
    var request = RenderRequest(filter: .file(path))
    request.size = try Self.size(size)
    request.device = "cpu"
    if let picture {
      request.inputs = [RenderRequest.InputPicture(input: nil, path: picture)]
      request.samplers = [("iChannel0", SamplerChange(interpolation: .linear, address: .clamp))]
    }
    shot = try renderer.prepare(request)
  }

  /// A size as it is typed.
  static func size(_ text: String) throws -> Size {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (1...32768).contains($0) }) else {
      throw BenchmarkError(description: "expected a size such as 1920x1080, found '\(text)'")
    }
    return Size(sides[0], sides[1])
  }

  /// Renders a frame and copies it.
  func picture(of frame: Int) throws -> PixelBuffer {
    guard let pending = try shot.submit(frame) else { throw BenchmarkError(description: "interrupted") }
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shot.size.pixelCount * shot.output.format.bytesPerPixel)
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return PixelBuffer(size: shot.size, format: shot.output.format, alpha: shot.output.alpha, bytes: bytes)
  }
}

/// Why nothing could be measured.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
}

// MARK: commands that show a shader

/// Writes what the driver is given of a shader, so that a program without Etalon can run the same kernel.
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

/// Shows what the CPU executor makes of a shader.
struct ProgramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "program", abstract: "Prints the lane program of each pass of a shader, as the CPU executor runs it.")

  @Argument(help: "The shader.") var shader: String
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(name: .short, help: ArgumentHelp("The picture that a filter reads.", valueName: "file")) var input: String?

  func run() throws {
    for kernel in try BenchmarkShader(path: shader, size: size, picture: input).shot.kernels {
      print(try ProgramListing.text(of: kernel))
    }
  }
}
