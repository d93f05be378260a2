import ArgumentParser
import EtalonMedia
import EtalonTypes
import Foundation
import Synchronization

/// Encodes frames of a shader over and over, without rendering them again and without files.
struct EncodeBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "PNG encoding of a shader's frames alone: CPU time a frame, as JSON.")

  @Argument(help: "The shader.") var shader: String
  @Option(help: "Width and height in pixels.") var size = "1920x1080"
  @Option(help: "The frames of the shot that are encoded.") var frames = "60-299x40"
  @Option(help: "How often all of them are encoded, after once to warm up.") var rounds = 5
  @Option(help: "Encoders side by side, each with all the frames; etalon has one for each processor.")
  var threads = ProcessInfo.processInfo.activeProcessorCount

  func run() throws {
    let benchmark = try BenchmarkShader(path: shader, size: size)
    let pictures = try FrameRangeParser.parse(frames).frames.map(benchmark.picture)
    let bytes = encode(pictures) / (pictures.count * threads)
    let start = CPUClock.milliseconds()
    for _ in 0..<rounds { _ = encode(pictures) }
    let end = CPUClock.milliseconds()
    let count = Double(pictures.count * threads * rounds)
    let (user, system) = ((end.user - start.user) / count, (end.system - start.system) / count)
    print("{\"frames\":\(Int(count)),\"userMsPerFrame\":\(user),\"systemMsPerFrame\":\(system),\"bytesPerFrame\":\(bytes)}")
  }

  /// Encodes all pictures on every thread, and returns how many bytes that gave.
  private func encode(_ pictures: [PixelBuffer]) -> Int {
    let total = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      let encoder = PNGEncoder()
      let sink = MemorySink()
      for picture in pictures {
        sink.reset()
        do { try encoder.encode(picture, to: sink) } catch { preconditionFailure("memory takes every byte: \(error)") }
        total.withLock { $0 += sink.bytes.count }
      }
    }
    return total.withLock { $0 }
  }
}
