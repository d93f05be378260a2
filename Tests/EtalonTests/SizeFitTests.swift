import EtalonDiagnostics
import EtalonGraph
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// A size that is asked for is the size of the same picture: nothing is laid out anew.
@Suite struct SizeFitTests {
  private let graphs = TestGraphs(size: Size(24, 16))

  private func picture(
    _ size: Size, _ color: (Int, Int) -> [UInt8] = { x, y in [UInt8(x * 5 % 256), UInt8(y * 5 % 256), 90, 255] }
  ) -> ImageRecipe {
    let bytes = (0..<size.pixelCount).flatMap { color($0 % size.width, $0 / size.width) }
    return ImageRecipe(.picture(PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)), label: "picture \(size)")
  }

  private func render(_ image: ImageRecipe, _ size: Size? = nil) throws -> (size: Size, floats: [Float]) {
    var graph = graphs.graph(image)
    graph.size = size
    return (try graphs.plan(graph).plan.plan.outputs[0].size, try graphs.floats(graph, on: .cpu))
  }

  /// A small picture in the corner of a large one.
  private func inset() throws -> ImageRecipe {
    let small = picture(Size(16, 12)) { _, _ in [255, 0, 0, 255] }
    return try graphs.use("source-over", ["inputImage": small, "backgroundImage": picture(Size(40, 24)) { _, _ in [0, 0, 255, 255] }])
  }

  @Test func theOwnSizeOfACompositeChangesNothing() throws {
    let natural = try render(inset())
    #expect(natural.size == Size(40, 24))
    let same = try render(inset(), natural.size)
    #expect(same.size == natural.size && same.floats == natural.floats)
  }

  @Test func aCompositeIsLaidOutBeforeItIsScaled() throws {
    for size in [Size(80, 48), Size(20, 12), Size(20, 24), Size(61, 37)] {
      let scaled = try render(inset(), size)
      #expect(scaled.size == size)
      // Red is the lower left part of 16/40 by 12/24.
      for (x, y) in [(0.2, 0.25), (0.6, 0.25), (0.2, 0.75), (0.36, 0.46), (0.44, 0.46), (0.36, 0.54)] {
        let (column, row) = (Int(x * Double(size.width)), size.height - 1 - Int(y * Double(size.height)))
        let red = scaled.floats[4 * (row * size.width + column)]
        #expect(red == (x < 0.4 && y < 0.5 ? 1 : 0), "\(size) at \(x), \(y)")
      }
    }
  }

  @Test func theOwnSizeOfACropChangesNothing() throws {
    let part = try graphs.crop(picture(Size(40, 24)), Extent(x: 8, y: 4, size: Size(20, 10)))
    #expect(try render(part, Size(20, 10)).floats == render(part).floats)
  }

  /// The small picture is cut to a number of pixels: where it lies is decided without the size, and the result is resized.
  @Test func aCompositeWithPartsOfFixedSizesIsResized() throws {
    let red = picture(Size(16, 12)) { _, _ in [255, 0, 0, 255] }
    let part = try graphs.crop(red, Extent(x: 4, y: 4, size: Size(60, 8)))
    let image = try graphs.use(
      "source-over", ["inputImage": part, "backgroundImage": picture(Size(40, 24)) { _, _ in [0, 0, 255, 255] }])
    let natural = try render(image)
    #expect(natural.size == Size(64, 24))
    let double = try render(image, Size(128, 48))
    #expect(double.size == Size(128, 48))
    for y in 0..<24 {
      for x in 0..<64 where x % 8 == 6 && y % 4 == 2 {
        let (small, large) = (4 * (y * 64 + x), 4 * (2 * y * 128 + 2 * x))
        // Resizing rings beside edges.
        #expect(abs(natural.floats[small] - double.floats[large]) < 0.1, "\(x), \(y)")
      }
    }
  }

  /// A part of a fixed size inside of the large picture, which alone decides how large the composite is.
  @Test(arguments: [Size(80, 48), Size(20, 12), Size(57, 31)]) func partsOfFixedSizesInsideLieWhereTheyDid(size: Size) throws {
    let red = picture(Size(16, 12)) { _, _ in [255, 0, 0, 255] }
    let part = try graphs.crop(red, Extent(x: 4, y: 2, size: Size(10, 8)))
    let image = try graphs.use(
      "source-over", ["inputImage": part, "backgroundImage": picture(Size(40, 24)) { _, _ in [0, 0, 255, 255] }])
    let sized = try render(image, size)
    #expect(sized.size == size)
    for (x, y) in [(9.0, 6.0), (6.0, 8.0), (12.0, 4.0), (2.0, 6.0), (18.0, 6.0), (9.0, 14.0)] {
      let (column, row) = (Int(x / 40 * Double(size.width)), size.height - 1 - Int(y / 24 * Double(size.height)))
      let isInside = (4...14).contains(x) && (2...10).contains(y)
      #expect(abs(sized.floats[4 * (row * size.width + column)] - (isInside ? 1 : 0)) < 0.3, "\(x), \(y)")
    }
  }

  @Test func expressionsReadTheSizeThatTheLayoutHas() throws {
    var graph = graphs.graph(try inset())
    graph.size = Size(40, 24)
    #expect(SizeFit(graph, evaluator: graphs.evaluator).canvas == Size(16, 12))
    graph.size = Size(80, 48)
    #expect(SizeFit(graph, evaluator: graphs.evaluator).canvas == Size(32, 24))
  }

  /// An expression is worked out in the size that is tried: what follows the size of the graph needs no resizing of the result.
  @Test(arguments: [("vec2(width, height) * 0.5", Size(32, 24)), ("vec2(8.0, 6.0) + 0.0 * time", Size(16, 12))])
  func expressionsOfPartsFollowTheSize(size: String, canvas: Size) throws {
    let small = try graphs.resize(picture(Size(16, 12)), size, animated: true)
    var graph = graphs.graph(
      try graphs.use("source-over", ["inputImage": small, "backgroundImage": picture(Size(40, 24)) { _, _ in [0, 0, 255, 255] }]))
    graph.size = Size(80, 48)
    #expect(graph.fitted(for: RenderRequest(filter: .standardInput), graphs.evaluator).nominalSize == canvas)
  }

  /// A composite becomes as large as was asked for, and what stands behind it larger by as much: too large is told.
  @Test func resultsBehindACompositeHaveALargestSide() throws {
    let part = try graphs.crop(picture(Size(16, 12)), Extent(x: 4, y: 2, size: Size(10, 8)))
    let image = try graphs.use("source-over", ["inputImage": part, "backgroundImage": picture(Size(40, 24))])
    var graph = graphs.graph(try graphs.resize(image, "9000,10"))
    graph.size = Size(60, 24)
    #expect(try graphs.plan(graph).plan.plan.outputs[0].size == Size(13500, 10))
    graph.size = Size(6400, 24)
    let error = #expect(throws: DiagnosticsError.self) { try graphs.plan(graph) }
    #expect(error?.diagnostics.map(\.id) == ["size.too-large"])
    #expect(error?.diagnostics.first?.message.contains("a result of 9000x10 would become 1440000x10") ?? false)
  }

  @Test func whatGrowsKeepsItsOwnSize() throws {
    let grown = try graphs.shader("grown", picture(Size(24, 16)))
    let natural = try render(grown)
    #expect(natural.size.width > 24)
    #expect(try render(grown, natural.size).floats == natural.floats)
    // The size of the picture shows the picture without what the filter adds around it.
    let framed = try render(grown, Size(24, 16))
    let (left, top) = ((natural.size.width - 24) / 2, (natural.size.height - 16) / 2)
    for y in 0..<16 {
      let row = 4 * ((top + y) * natural.size.width + left)
      #expect(Array(framed.floats[96 * y..<96 * (y + 1)]) == Array(natural.floats[row..<row + 96]))
    }
  }

  /// Filters that count pixels show all of a picture that has another size, and count the pixels of the result.
  @Test(arguments: [Size(48, 32), Size(12, 8), Size(31, 9)]) func filtersThatCountPixelsReadAPictureOfTheSize(size: Size) throws {
    let image = picture(Size(24, 16)) { x, _ in x < 12 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
    for (name, values) in [("gaussian-blur", ["sigma": "1"]), ("minimum", ["radius": "1"]), ("pixellate", ["scale": "2"]), ("affine", [:])]
    {
      let shown = try render(graphs.use(name, ["inputImage": image], values), size)
      #expect(shown.size == size)
      for (x, isRed) in [(0.2, true), (0.8, false)] {
        for y in [1, size.height - 2] {
          let first = 4 * (y * size.width + Int(x * Double(size.width)))
          #expect((shown.floats[first] > 0.9) == isRed && (shown.floats[first + 2] > 0.9) == !isRed, "\(name) at \(x), \(y)")
        }
      }
    }
    // A chain resizes the picture once, and as 'resize' does.
    let chain = try render(graphs.use("minimum", ["inputImage": image], ["radius": "1"]), size)
    let larger = try image.applying(
      ImageOperation.resize.filter, ["size": Value(.vec2, [Double(size.width), Double(size.height)])], inputs: [:], label: "resize")
    #expect(try render(graphs.use("minimum", ["inputImage": larger], ["radius": "1"])).floats == chain.floats)
  }

  /// A radius in pixels is not scaled: the composite is rendered with it, and its result is resized.
  @Test func aCompositeWithPartsMeasuredInPixelsIsResized() throws {
    let small = picture(Size(16, 12)) { _, _ in [255, 0, 0, 255] }
    let moved = try graphs.use("affine", ["inputImage": small], ["translation": "4, 0"])
    let image = try graphs.use(
      "source-over", ["inputImage": moved, "backgroundImage": picture(Size(40, 24)) { _, _ in [0, 0, 255, 255] }])
    for size in [Size(80, 48), Size(20, 12)] {
      let sized = try render(image, size)
      // Red begins at 4/40 and ends at 16/40.
      for (x, isRed) in [(0.05, false), (0.16, true), (0.34, true), (0.46, false)] {
        let first = 4 * ((size.height - 2) * size.width + Int(x * Double(size.width)))
        #expect((sized.floats[first] > 0.8) == isRed, "\(size) at \(x)")
      }
    }
  }

  @Test func generatorsCoverTheSize() throws {
    let gradient = try graphs.use("linear-gradient", [:])
    #expect(try render(gradient, Size(10, 6)).size == Size(10, 6))
    #expect(try render(graphs.use("gaussian-blur", ["inputImage": gradient], ["sigma": "2"]), Size(10, 6)).size == Size(10, 6))
  }

  /// Graphs made by chance, over pictures of several sizes.
  @Test(arguments: 0..<40) func theOwnSizeOfAGraphChangesNothing(seed: Int) throws {
    var random = RandomGraph(seed: seed, of: graphs)
    var graph = try random.graph()
    graph.size = nil
    let further = try graphs.use("source-over", ["inputImage": picture(Size(30 + seed, 9)), "backgroundImage": graph.outputs[0].image])
    graph = graphs.graph(further, feedback: graph.feedback)
    let natural = try GraphShots(graph, of: graphs, frames: 1)
    graph.size = natural.plan.outputs[0].size
    let sized = try GraphShots(graph, of: graphs, frames: 1)
    #expect(sized.plan.outputs[0].size == graph.size)
    #expect(try sized.bytes([0]) == natural.bytes([0]))
  }
}
