import Etalon
import EtalonGraph
import EtalonTypes
import Foundation

/// A graph of shipped filters as large as wanted: chains of point-wise filters, blurs, masks, branches, several pictures, values that change over
/// time, and one picture of the frame before.
///
/// It is made of groups of twenty nodes, each of which reads the one before it.
struct PlanningGraph {
  static let nodesPerGroup = 20

  private let groupCount: Int
  /// A number that changes the values, those among them that sizes are made of.
  private let variation: Int
  /// The filter that stands in the chain of one group in the middle; nil for the one that all others have.
  private let edit: String?
  /// The pictures that the groups read in turn.
  private let pictures: [String]

  init(groupCount: Int, pictures: [String], variation: Int = 0, edit: String? = nil) {
    self.groupCount = groupCount
    self.pictures = pictures
    self.edit = edit
    self.variation = variation
  }

  /// What a person would type.
  var stages: [String] {
    pictures.enumerated().map { "picture\($0): \($1)" } + (0..<groupCount).flatMap(group)
  }

  /// The request for some frames of the graph.
  func request(_ size: Size, frames: ClosedRange<Int> = 0...0) throws -> RenderRequest {
    var request = try BenchmarkGraph.request(stages)
    request.size = size
    if let range = FrameRange(frames) { request.frames = .range(range) }
    return request
  }

  private func group(_ index: Int) -> [String] {
    let given = index == 0 ? "picture0" : "result\(index - 1)"
    let picture = "picture\(index % pictures.count)"
    let amount = Double(variation % 50) / 1000
    return [
      // A chain of point-wise filters, then a blur.
      "base\(index): brightness-contrast inputImage=@\(given) brightness=\(0.01 + amount)",
      index == groupCount / 2 ? edit ?? "saturation" : "saturation",
      "hue-rotate angle=(2*time + \(10 * index))",
      "gamma gamma=\(1.1 + amount)",
      "soft\(index): gaussian-blur sigma=\(3 + Double(index % 5) + amount)",
      // Two branches: squares of the base, and the blurred picture turned.
      "pixellate inputImage=@base\(index) scale=\(4 + index % 3)",
      "blocks\(index): mono amount=(0.5 + 0.4*sin(time))",
      "affine inputImage=@soft\(index) angle=(time)",
      "turned\(index): vignette amount=0.3",
      // A mask of two shapes joins them.
      "circle\(index): radial-gradient radius=\(0.3 + 0.01 * Double(index) + amount)",
      "ramp\(index): linear-gradient curve=smooth endPoint=0.\(50 + index),0.5",
      "mask\(index): dissolve startImage=@circle\(index) endImage=@ramp\(index) progress=0.3",
      "mixed\(index): blend-with-mask inputImage=@blocks\(index) backgroundImage=@turned\(index) maskImage=@mask\(index)",
      // A picture with grain is laid over.
      "kaleidoscope inputImage=@\(picture) count=\(3 + index % 4) angle=\(5 * index)",
      "shapes\(index): minimum radius=\(1 + index % 3)",
      "noise seed=\(index + variation) animated=on",
      "grain\(index): gamma gamma=1.2",
      "source-over inputImage=@grain\(index) backgroundImage=@shapes\(index) opacity=0.1",
      "source-over backgroundImage=@mixed\(index) opacity=(0.5 + 0.2*cos(time))",
      "result\(index): " + (index == 0 ? "dissolve endImage=before(result0) progress=0.2" : "vignette"),
    ]
  }
}
