import ArgumentParser
import Etalon
import EtalonCPU
import EtalonMedia
import EtalonPlan
import EtalonTypes
import EtalonVulkan
import Foundation
import Glibc

/// Holds the CPU executor against Mesa's software driver, against itself with two threads, and against the clock for a first picture.
struct ExecutorBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "executor", abstract: "The CPU executor against lavapipe: user CPU a frame of the same SPIR-V, with one thread each.",
    discussion: """
      Frames are timed after one that compiles and warms up; the fastest of several rounds counts, in which the executors take turns. Then \
      two threads are held against one, and the time from SPIR-V to a first small picture is taken. Ends with 1 when a bar is missed.
      """)

  @Option(help: "The folder of the shaders.") var shaders = "Tests/Benchmarks/shaders"
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 3
  @Argument(help: "The shaders that are measured; all without a name.") var names: [String] = []

  func run() throws {
    let classes = try chosenClasses()
    let picture = FileManager.default.temporaryDirectory.appending(path: "etalon-bench-\(UUID().uuidString).png").path
    try BenchmarkPicture.write(to: picture, Size(1280, 720))
    defer { try? FileManager.default.removeItem(atPath: picture) }
    var verdict = BenchVerdict()
    let peers = PeerComparison(folder: shaders, size: size, picture: picture, rounds: rounds)
    try peers.run(classes, &verdict)
    try ThreadScaling(folder: shaders, size: size).run(&verdict)
    try FirstPicture(folder: shaders, picture: picture).run(classes, &verdict)
    if !verdict.passes { throw ExitCode(1) }
  }

  private func chosenClasses() throws -> [ShaderClass] {
    guard !names.isEmpty else { return ShaderClass.all }
    let known = ShaderClass.all.flatMap(\.shaders)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw ValidationError("no benchmark shader '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
    return ShaderClass.all.compactMap { shaderClass in
      let chosen = shaderClass.shaders.filter(names.contains)
      return chosen.isEmpty ? nil : ShaderClass(name: shaderClass.name, shaders: chosen, readsPicture: shaderClass.readsPicture)
    }
  }
}

// MARK: figures

/// User CPU a frame of every shader on the CPU executor, with each instruction set, and on lavapipe.
private struct PeerComparison {
  let folder: String
  let size: String
  let picture: String
  let rounds: Int

  /// What an instruction set has to reach against lavapipe: the geometric mean of all shaders, and that of each class.
  private static let bars: [InstructionSet: (mean: Double, shaderClass: Double?)] = [.avx2: (1.0, 1.7), .avx512: (0.8, nil)]
  private static let sets = InstructionSet.allCases.filter(\.isSupported)

  func run(_ classes: [ShaderClass], _ verdict: inout BenchVerdict) throws {
    let contenders = try [ExecutorContender.lavapipe()] + Self.sets.map { ExecutorContender.cpu($0) }
    print("user CPU ms a frame of \(size), one thread, best of \(rounds) rounds; in brackets the part of lavapipe's")
    print(Self.row("", contenders.map(\.name)))
    var ratios: [[[Double]]] = []
    for shaderClass in classes {
      var ofClass: [[Double]] = []
      for shader in shaderClass.shaders {
        let times = try measure(shader, of: shaderClass, contenders)
        let parts = times.dropFirst().map { $0 / times[0] }
        ofClass.append(parts)
        print(Self.row(shader, [Self.number(times[0])] + zip(times.dropFirst(), parts).map { "\(Self.number($0)) (\(Self.number($1)))" }))
      }
      ratios.append(ofClass)
      print(Self.row(shaderClass.name, [""] + Self.means(ofClass).map(Self.number)))
    }
    let all = Self.means(ratios.flatMap { $0 })
    print(Self.row("all", [""] + all.map(Self.number)))
    check(classes.map(\.name), ratios.map(Self.means), all, &verdict)
  }

  /// Times of all contenders.
  private func measure(_ shader: String, of shaderClass: ShaderClass, _ contenders: [ExecutorContender]) throws -> [Double] {
    let path = "\(folder)/\(shader).glsl"
    let shot = try BenchmarkShader(path: path, size: size, picture: shaderClass.readsPicture ? picture : nil).shot
    let runs = try contenders.map { try ContenderRun(shot, on: $0) }
    let pictures = try runs.dropFirst().map { try $0.bytes(ofFrame: 60) }
    if pictures.contains(where: { $0 != pictures[0] }) {
      throw BenchmarkError(description: "the instruction sets do not give the same picture of '\(shader)'")
    }
    var best = [Double](repeating: .infinity, count: runs.count)
    for _ in 0..<rounds {
      for (index, run) in runs.enumerated() { best[index] = min(best[index], try run.userTime()) }
    }
    return best
  }

  private func check(_ names: [String], _ classes: [[Double]], _ all: [Double], _ verdict: inout BenchVerdict) {
    for (index, set) in Self.sets.enumerated() {
      guard let bar = Self.bars[set] else { continue }
      verdict.check("\(set.rawValue), geometric mean of all shaders, of lavapipe", all[index], atMost: bar.mean)
      guard let limit = bar.shaderClass else { continue }
      for (name, means) in zip(names, classes) { verdict.check("\(set.rawValue), \(name), of lavapipe", means[index], atMost: limit) }
    }
  }

  /// The geometric mean of each column.
  private static func means(_ rows: [[Double]]) -> [Double] {
    sets.indices.map { column in rows.map { $0[column] }.geometricMean }
  }

  private static func number(_ value: Double) -> String { String(format: "%.2f", value) }

  private static func row(_ name: String, _ cells: [String]) -> String {
    ([name.padding(toLength: 20, withPad: " ", startingAt: 0)] + cells.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 })
      .joined()
  }
}

/// How much faster two threads render than one, on the wall.
private struct ThreadScaling {
  let folder: String
  let size: String

  private static let shaders = ["noise", "march"]
  /// An odd number of pairs, of whose ratios the middle one counts.
  private static let pairs = 9

  /// How many threads wanted to run during the last minute, as text.
  private static func load() -> String {
    var averages = [0.0]
    guard unsafe getloadavg(&averages, 1) == 1 else { return "an unknown number of" }
    return String(format: "%.1f", max(0, averages[0] - 1))
  }

  func run(_ verdict: inout BenchVerdict) throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    guard processors >= 2 else { return print("thread scaling: not measured, this machine has one processor") }
    print("thread scaling: wall time with one thread over that with two, median of \(Self.pairs) pairs")
    print("  \(processors) processors, \(Self.load()) others at work: two threads can only be twice as fast where none are")
    for shader in Self.shaders {
      let shot = try BenchmarkShader(path: "\(folder)/\(shader).glsl", size: size, picture: nil).shot
      let one = try ContenderRun(shot, on: .cpu(.best)), two = try ContenderRun(shot, on: .cpu(.best, threads: 2))
      let ratios = try (0..<Self.pairs).map { _ in try one.wallTime() / two.wallTime() }
      verdict.check("\(shader), two threads", ratios.median, atLeast: 1.85)
    }
  }
}

/// CPU time from SPIR-V to a finished picture of 64×64 pixels, with nothing compiled before.
private struct FirstPicture {
  let folder: String
  let picture: String

  private static let runs = 20
  private static let limit = 15.0

  func run(_ classes: [ShaderClass], _ verdict: inout BenchVerdict) throws {
    print("from SPIR-V to a picture of 64×64: CPU ms, median of \(Self.runs)")
    for shaderClass in classes {
      for shader in shaderClass.shaders {
        let path = "\(folder)/\(shader).glsl"
        let shot = try BenchmarkShader(path: path, size: "64x64", picture: shaderClass.readsPicture ? picture : nil).shot
        let times = try (0..<Self.runs).map { _ in try time(shot) }
        verdict.check(shader, times.median, atMost: Self.limit, unit: " ms")
      }
    }
  }

  private func time(_ shot: Shot) throws -> Double {
    let start = CPUClock.milliseconds()
    let pending = try shot.execution(on: CPUBackend()).submit(try shot.values(of: 60))
    try pending.wait()
    pending.release()
    let end = CPUClock.milliseconds()
    return end.user + end.system - start.user - start.system
  }
}

// MARK: contenders

/// Shaders that are much alike in what they ask of an executor.
private struct ShaderClass {
  let name: String
  let shaders: [String]
  /// Whether the shaders filter a picture.
  let readsPicture: Bool

  /// All that are measured: files of Tests/Benchmarks/shaders without their ending.
  static let all = [
    ShaderClass(name: "cheap ALU", shaders: ["plasma", "tiles", "wheel"], readsPicture: false),
    ShaderClass(name: "sin-hash noise", shaders: ["noise", "cells"], readsPicture: false),
    ShaderClass(name: "integer-hash noise", shaders: ["lattice"], readsPicture: false),
    ShaderClass(name: "ray march", shaders: ["march", "sponge", "hills"], readsPicture: false),
    ShaderClass(name: "bilinear filter", shaders: ["blur", "zoom", "glass"], readsPicture: true),
    ShaderClass(name: "texel-fetch filter", shaders: ["glow", "median", "smooth"], readsPicture: true),
  ]
}

/// An executor that renders the benchmark shaders with one thread.
struct ExecutorContender {
  let name: String
  let backend: any Backend

  /// The CPU executor with an instruction set and a number of threads.
  static func cpu(_ set: InstructionSet, threads: Int = 1) -> ExecutorContender {
    ExecutorContender(name: set.rawValue, backend: CPUBackend(.init(threadCount: threads, instructionSet: set)))
  }

  /// Mesa's software driver with one thread, which reads its number of threads from the environment when it is opened.
  static func lavapipe() throws -> ExecutorContender {
    unsafe _ = setenv("LP_NUM_THREADS", "1", 1)
    return ExecutorContender(name: "lavapipe", backend: try VulkanBackend(DeviceChoice("llvmpipe")))
  }
}

/// One shader on one executor, ready to be timed.
struct ContenderRun {
  private let shot: Shot
  private let execution: any PlanExecution
  /// How many frames are timed at once: enough for a fifth of a second.
  private let frameCount: Int

  /// Compiles, and renders a frame to get everything warm.
  init(_ shot: Shot, on contender: ExecutorContender) throws {
    self.shot = shot
    execution = try shot.execution(on: contender.backend)
    try Self.render(shot, execution, frame: 0)
    let start = CPUClock.milliseconds().user
    for frame in 1...2 { try Self.render(shot, execution, frame: frame) }
    let frame = (CPUClock.milliseconds().user - start) / 2
    frameCount = max(2, min(100, Int((200 / max(frame, 1)).rounded(.up))))
  }

  private static func render(_ shot: Shot, _ execution: any PlanExecution, frame: Int) throws {
    let pending = try execution.submit(try shot.values(of: frame))
    defer { pending.release() }
    try pending.wait()
  }

  /// User milliseconds a frame.
  func userTime() throws -> Double {
    let start = CPUClock.milliseconds().user
    try renderAll()
    return (CPUClock.milliseconds().user - start) / Double(frameCount)
  }

  /// Milliseconds a frame on the wall.
  fileprivate func wallTime() throws -> Double {
    let time = try ContinuousClock().measure { try renderAll() }
    return time / .milliseconds(1) / Double(frameCount)
  }

  private func renderAll() throws {
    for frame in 0..<frameCount { try Self.render(shot, execution, frame: 60 + frame) }
  }

  /// The bytes of a frame.
  func bytes(ofFrame frame: Int) throws -> [UInt8] {
    let pending = try execution.submit(try shot.values(of: frame))
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }
}

// MARK: watched kernels

/// Holds watched kernels against the same kernels without watching.
struct WatchBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "What the sanitizer costs: user CPU a frame of watched kernels, of plain ones.",
    discussion: "One thread each; the fastest of several rounds counts, in which both take turns. Ends with 1 when the bar is missed.")

  @Option(help: "The folder of the shaders.") var shaders = "Tests/Benchmarks/shaders"
  @Option(help: "Width and height in pixels.") var size = "640x360"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 3

  /// How many times as long a watched frame may take.
  private static let limit = 12.0

  func run() throws {
    let picture = FileManager.default.temporaryDirectory.appending(path: "etalon-bench-\(UUID().uuidString).png").path
    try BenchmarkPicture.write(to: picture, Size(1280, 720))
    defer { try? FileManager.default.removeItem(atPath: picture) }
    var verdict = BenchVerdict()
    for shaderClass in ShaderClass.all {
      for shader in shaderClass.shaders {
        let shot = try BenchmarkShader(
          path: "\(shaders)/\(shader).glsl", size: size, picture: shaderClass.readsPicture ? picture : nil
        ).shot
        let plain = try ContenderRun(shot, on: .cpu(.best)), watched = try ContenderRun(shot, on: .watched())
        var best = (plain: Double.infinity, watched: Double.infinity)
        for _ in 0..<rounds { best = (min(best.plain, try plain.userTime()), min(best.watched, try watched.userTime())) }
        print(String(format: "%@: plain %.1f ms, watched %.1f ms", shader, best.plain, best.watched))
        verdict.check(shader, best.watched / best.plain, atMost: Self.limit)
      }
    }
    if !verdict.passes { throw ExitCode(1) }
  }
}

extension ExecutorContender {
  /// The CPU executor with one thread, watched.
  fileprivate static func watched() -> ExecutorContender {
    ExecutorContender(name: "watched", backend: CPUBackend(.init(threadCount: 1), watch: WatchLog { _, _ in false }))
  }
}
