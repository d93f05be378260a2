import EtalonGraph
import EtalonManifest
import EtalonTestSupport
import EtalonTypes

/// A graph made by chance of the filters that Etalon ships: the same for the same seed.
struct RandomGraph {
  /// A filter with values for a small picture, and some that change over time.
  private struct Choice {
    let name: String
    var values: [String: String] = [:]
    var animated: [String: String] = [:]
  }

  private static let choices = [
    Choice(name: "gaussian-blur", values: ["sigma": "2"], animated: ["sigma": "1.0 + 7.0 * time"]),
    Choice(name: "box-convolution", values: ["radius": "1.5"], animated: ["radius": "7.0 + 3.0 * sin(time * 20.0)"]),
    Choice(name: "minimum", values: ["radius": "1"]),
    Choice(name: "maximum", values: ["radius": "2"]),
    Choice(name: "pixellate", values: ["scale": "4"], animated: ["scale": "2.0 + mod(time * 30.0, 5.0)"]),
    Choice(name: "hue-rotate", animated: ["angle": "time * 200.0"]),
    Choice(name: "saturation", animated: ["amount": "1.0 + sin(time * 9.0)"]),
    Choice(name: "gamma", animated: ["gamma": "1.0 + time"]),
    Choice(name: "brightness-contrast", values: ["brightness": "0.1"]),
    Choice(name: "mono", animated: ["amount": "fract(time * 2.0)"]),
    Choice(name: "vignette", animated: ["amount": "0.5 + 0.5 * sin(time * 7.0)"]),
    Choice(name: "kaleidoscope", values: ["count": "3"], animated: ["angle": "time * 90.0"]),
    Choice(name: "affine", values: ["angle": "30"], animated: ["slant": "time"]),
    Choice(name: "source-over", values: ["opacity": "0.7"]),
    Choice(name: "blend-with-mask"),
    Choice(name: "dissolve", values: ["progress": "0.4"], animated: ["progress": "fract(time * 3.0)"]),
    Choice(name: "linear-gradient"),
    Choice(name: "radial-gradient", animated: ["radius": "0.2 + time"]),
    Choice(name: "noise", values: ["grain": "2", "animated": "true"]),
    Choice(name: "feedback-trail", values: ["halfLife": "0.1"]),
  ]

  private let graphs: TestGraphs
  private var numbers: SeededNumbers

  init(seed: Int, of graphs: TestGraphs) {
    self.graphs = graphs
    numbers = SeededNumbers(seed: UInt64(seed))
  }

  /// Five to nine nodes over a picture and a stream; in every other graph the result of one is read as it was a frame ago.
  mutating func graph() throws -> ImageGraph {
    let stream = ImageStream(name: MovingPictures.name, model: MovingPictures(size: graphs.size).model)
    let plate = ImageRecipe(.stream(stream), label: "plate")
    var images = [graphs.photo, plate]
    var trunk = plate
    let loops = Bool.random(using: &numbers)
    if loops {
      let before = ImageRecipe(.before("loop"), label: "before(loop)")
      images.append(before)
      trunk = try graphs.use("source-over", ["inputImage": before, "backgroundImage": plate], ["opacity": "0.8"])
    }
    var loop = trunk
    for _ in 0..<Int.random(in: 5...9, using: &numbers) {
      let choice = Self.choices.randomElement(using: &numbers) ?? Self.choices[0]
      let image = try apply(choice, to: images, trunk)
      images.append(image)
      guard case .filter(let use) = image.operation, !use.inputs.isEmpty else { continue }
      (loop, trunk) = (trunk, image)
    }
    var graph = graphs.graph(trunk, feedback: loops ? ["loop": loop] : [:])
    graph.size = graphs.size
    return graph
  }

  /// A filter over pictures that are there, one of which is the last one that came from others, so that little of the graph is lost.
  private mutating func apply(_ choice: Choice, to images: [ImageRecipe], _ trunk: ImageRecipe) throws -> ImageRecipe {
    var inputs: [String: ImageRecipe] = [:]
    let names = try graphs.filter(choice.name).manifest.inputs.map(\.name)
    for name in names { inputs[name] = images.randomElement(using: &numbers) }
    if let name = names.randomElement(using: &numbers) { inputs[name] = trunk }
    return try graphs.use(choice.name, inputs, choice.values, animated: Bool.random(using: &numbers) ? choice.animated : [:])
  }

  /// Frames from 0 on, cut at two places into parts that come in any order.
  mutating func parts(of count: Int) -> [[Int]] {
    let cuts = Array(1..<count).shuffled(using: &numbers).prefix(2).sorted()
    let bounds = [0] + cuts + [count]
    return zip(bounds, bounds.dropFirst()).map { Array($0..<$1) }.shuffled(using: &numbers)
  }

  /// Some frames of a count, in their order.
  mutating func some(of count: Int) -> [Int] { (0..<count).shuffled(using: &numbers).prefix(2).sorted() }

  mutating func isHeads() -> Bool { Bool.random(using: &numbers) }

  /// The graph with a rectangle of its picture as the only output.
  mutating func cropped(_ graph: ImageGraph) throws -> ImageGraph {
    let (left, bottom) = (
      Int.random(in: 0..<graphs.size.width - 8, using: &numbers), Int.random(in: 0..<graphs.size.height - 6, using: &numbers)
    )
    let size = Size(Int.random(in: 1...8, using: &numbers), Int.random(in: 1...6, using: &numbers))
    let image = try graphs.crop(graph.outputs[0].image, Extent(x: left, y: bottom, size: size))
    return graphs.graph(image, feedback: graph.feedback)
  }
}
