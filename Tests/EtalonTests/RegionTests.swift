import EtalonGraph
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Which regions of pictures a plan computes, and that the rest is not missed.
@Suite struct RegionTests {
  private let graphs = TestGraphs()

  /// The middle at odd places, and two corners, one of them partly beside the picture.
  private static let places = [
    Extent(x: 11, y: 7, size: Size(9, 10)), Extent(x: -3, y: 27, size: Size(8, 9)), Extent(x: 39, y: 0, size: Size(9, 8)),
  ]
  /// A single pixel, and a rectangle half of which lies beside the picture.
  private static let oddPlaces = [Extent(x: 20, y: 31, size: Size(1, 1)), Extent(x: 46, y: 10, size: Size(4, 4))]

  /// What is computed in between, of which there are regions.
  private func computed() throws -> ImageRecipe { try graphs.use("hue-rotate", ["inputImage": graphs.photo], ["angle": "70"]) }

  /// The largest difference between a rectangle that is computed alone, and one that is cut from the whole picture.
  private func difference(_ image: ImageRecipe, _ extent: Extent, on device: TestDevice) throws -> Float {
    var graph = graphs.graph(try graphs.crop(image, extent))
    graph.size = graphs.size
    let cropped = try graphs.floats(graph, on: device)
    let whole = try graphs.floats(graph, crops: false, on: device)
    return zip(cropped, whole).map { ($0 - $1).magnitude }.max() ?? .infinity
  }

  // MARK: pixels

  @Test(arguments: TestDevice.allCases, [Sampler.AddressMode.clamp, .transparent, .repeat, .mirror])
  func whatKernelsReadOfRegions(device: TestDevice, address: Sampler.AddressMode) throws {
    for way in 0...2 {
      let image = try graphs.shader("around", computed(), address: address, ["way": "\(way)"])
      for rectangle in Self.places + Self.oddPlaces {
        #expect(try difference(image, rectangle, on: device) <= (device == .cpu && way != 1 ? 0 : 1.0 / 255), "way \(way), \(rectangle)")
      }
    }
  }

  @Test(arguments: TestDevice.allCases, [true, false]) func coloredBorders(device: TestDevice, loads: Bool) throws {
    let image = try graphs.shader("bordered", computed(), address: nil, ["loads": "\(loads)"])
    for rectangle in Self.places {
      #expect(try difference(image, rectangle, on: device) <= (device == .cpu && loads ? 0 : 1.0 / 255), "\(rectangle)")
    }
  }

  /// Every filter that says how far it reads, with all ways through its kernels.
  @Test(
    arguments: TestDevice.allCases,
    [
      ("gaussian-blur", ["sigma": "1.2"]), ("gaussian-blur", ["sigma": "1.6"]), ("gaussian-blur", ["sigma": "3", "edges": "transparent"]),
      ("box-convolution", ["radius": "2.5"]), ("box-convolution", ["radius": "8.5"]),
      ("box-convolution", ["radius": "9", "edges": "transparent"]),
      ("minimum", ["radius": "2"]), ("maximum", ["radius": "9"]), ("vignette", [:]), ("mono", [:]),
    ])
  func whatFiltersReadOfRegions(device: TestDevice, filter: (name: String, values: [String: String])) throws {
    let image = try graphs.use(filter.name, ["inputImage": computed()], filter.values)
    for rectangle in Self.places {
      #expect(try difference(image, rectangle, on: device) <= (device == .cpu ? 0 : 1e-5), "\(rectangle)")
    }
  }

  /// Texts of all dialects see the positions that they would see in the whole picture, and quads stay quads.
  @Test(
    arguments: TestDevice.allCases, ["gradient", "linear-derivatives", "isf/vertex-half.fs", "isf/perspective.fs"])
  func positionsStay(device: TestDevice, generator: String) throws {
    let generated = try graphs.shader(generator)
    for image in try [generated, graphs.use("minimum", ["inputImage": generated], ["radius": "1"])] {
      for rectangle in Self.places { #expect(try difference(image, rectangle, on: device) <= (device == .cpu ? 0 : 1e-6), "\(rectangle)") }
    }
  }

  /// Chains, fused and not, in which regions grow from filter to filter, and branches of which one is read as a whole.
  @Test(arguments: TestDevice.allCases) func whatGraphsReadOfRegions(device: TestDevice) throws {
    let blurred = try graphs.use("gaussian-blur", ["inputImage": computed()], ["sigma": "2"])
    let tinted = try graphs.use("saturation", ["inputImage": graphs.use("vignette", ["inputImage": blurred])], ["amount": "0.2"])
    let twice = try graphs.use("minimum", ["inputImage": tinted], ["radius": "1"])
    let mirrored = try graphs.use("kaleidoscope", ["inputImage": twice], ["count": "3"])
    let both = try graphs.use(
      "blend-with-mask", ["inputImage": mirrored, "backgroundImage": twice, "maskImage": graphs.use("radial-gradient", [:])])
    for image in [tinted, twice, mirrored, both] {
      for rectangle in Self.places {
        #expect(try difference(image, rectangle, on: device) <= (device == .cpu ? 0 : 1e-4), "\(image.label), \(rectangle)")
      }
    }
  }

  // MARK: plans

  /// The regions that a plan computes, `whole` for a picture; the last pass gives the output.
  private func regions(_ image: ImageRecipe) throws -> [String] {
    try graphs.plan(graphs.graph(image)).plan.plan.passes.dropLast().map { $0.region.map { "\($0.size) at \($0)" } ?? "whole" }
  }

  @Test func aCropOfALargeGraphComputesItsPixelsAndWhatTheyReach() throws {
    let blurred = try graphs.use("gaussian-blur", ["inputImage": graphs.use("noise", [:])], ["sigma": "8"])
    var graph = graphs.graph(try graphs.crop(blurred, Extent(x: 4000, y: 3000, size: Size(64, 64))))
    graph.size = Size(8192, 8192)
    let plan = try graphs.plan(graph).plan.plan
    #expect(
      PlanPrinter(plan).text == """
        1  dispatch  noise.image                             -> t0  rgba32f 322x322  at (3866, 2870) of 8192x8192
        2  dispatch  gaussian-blur.shrinkHeight              t0 -> t1  rgba32f 322x30  at (3866, 442) of 8192x1235
        3  dispatch  gaussian-blur.shrinkWidth               t1 -> t2  rgba32f 30x30  at (592, 442) of 1235x1235
        4  dispatch  gaussian-blur.growWidth                 t1 t2 -> t3  rgba32f 64x30  at (4000, 442) of 8192x1235  (reuses t0)
        5  dispatch  gaussian-blur.growHeight                t3 -> t4  rgba32f 64x64  at (4000, 3000) of 8192x8192  (reuses t1)
        6  dispatch  gaussian-blur.place.image + crop.image  t4 -> main
        out main  rgba32f 64x64 premultiplied
        3 working textures, 1786 KiB

        """)
    #expect(PlanDOT(plan).text.contains("gaussian-blur.growHeight at (4000, 3000) of 8192x8192"))
    let whole = try graphs.plan(graph, crops: false).plan.plan
    #expect(plan.pixelCount * 1000 < whole.pixelCount)
  }

  @Test func whatMayBeReadAnywhereIsWhole() throws {
    let rectangle = Extent(x: 11, y: 7, size: Size(9, 10))
    let mirrored = try graphs.use("kaleidoscope", ["inputImage": computed()])
    #expect(try regions(graphs.crop(mirrored, rectangle)) == ["whole", "10x12 at (10, 6) of 48x32"])
    let unmapped = try graphs.shader("unmapped", computed())
    #expect(try regions(graphs.crop(unmapped, rectangle)) == ["whole", "10x12 at (10, 6) of 48x32"])
  }

  /// A region that reaches over an edge beyond which the picture begins again needs the other edge too.
  @Test func repeatedEdgesNeedTheWhole() throws {
    let inside = Extent(x: 8, y: 8, size: Size(8, 8)), edge = Extent(x: 0, y: 8, size: Size(8, 8))
    for address in [Sampler.AddressMode.repeat, .mirror] {
      let image = try graphs.shader("around", computed(), address: address)
      #expect(try regions(graphs.crop(image, inside)) == ["16x16 at (4, 4) of 48x32", "8x8 at (8, 8) of 48x32"])
      #expect(try regions(graphs.crop(image, edge)) == ["whole", "8x8 at (0, 8) of 48x32"])
    }
    let clamped = try graphs.shader("around", computed(), address: .clamp)
    #expect(try regions(graphs.crop(clamped, edge)) == ["12x16 at (0, 4) of 48x32", "8x8 at (0, 8) of 48x32"])
  }

  /// A text that only the compiler finds to be none that can read regions is compiled as it was written.
  @Test func whatCannotBeCompiledIsPlannedAnew() throws {
    let pasted = try graphs.shader("pasted", computed())
    #expect(try regions(graphs.crop(pasted, Extent(x: 8, y: 8, size: Size(8, 8)))) == ["whole", "whole"])
    #expect(try difference(pasted, Self.places[0], on: .cpu) == 0)
  }

  /// Of a result that grows, a picture of the size that is asked for shows the middle.
  @Test func aSizeThatIsAskedForIsARegion() throws {
    var graph = graphs.graph(try graphs.shader("grown", computed()))
    graph.size = graphs.size
    let plan = try graphs.plan(graph).plan.plan
    #expect(plan.passes.compactMap(\.region).map { "\($0.size) at \($0)" }.last == "48x32 at (6, 4) of 60x40")
    let cropped = try graphs.floats(graph, on: .cpu), whole = try graphs.floats(graph, crops: false, on: .cpu)
    #expect(zip(cropped, whole).allSatisfy { ($0 - $1).magnitude <= 1.0 / 255 } && Set(cropped).count > 100)
  }

  /// What two readers need is computed once, as one region; what the next frame or an output needs is whole.
  @Test func readersShareARegion() throws {
    let image = try computed()
    let both = try graphs.use(
      "source-over",
      [
        "inputImage": graphs.crop(image, Extent(x: 4, y: 4, size: Size(6, 6))),
        "backgroundImage": graphs.crop(image, Extent(x: 21, y: 9, size: Size(6, 6))),
      ])
    #expect(try regions(both).first == "24x12 at (4, 4) of 48x32")
    let cropped = try graphs.crop(image, Extent(x: 4, y: 4, size: Size(6, 6)))
    var graph = graphs.graph(cropped)
    graph.outputs.append(.init(name: "all", image: image))
    #expect(try graphs.plan(graph).plan.plan.passes.allSatisfy { $0.region == nil })
    let kept = graphs.graph(
      try graphs.use("source-over", ["inputImage": cropped, "backgroundImage": ImageRecipe(.before("loop"), label: "loop")]),
      feedback: ["loop": image])
    #expect(try graphs.plan(kept).plan.plan.passes.allSatisfy { $0.region == nil })
  }

  /// Kernels know no offsets: crops of different places have the same.
  @Test func otherPlacesNeedNoOtherKernels() throws {
    let image = try graphs.shader("around", computed())
    let plans = try [Extent(x: 10, y: 8, size: Size(6, 6)), Extent(x: 20, y: 12, size: Size(8, 6))].map {
      try graphs.plan(graphs.graph(graphs.crop(image, $0))).plan.plan
    }
    #expect(plans[0].kernels.map(\.words) == plans[1].kernels.map(\.words))
    #expect(plans[0].passes.map(\.region) != plans[1].passes.map(\.region))
  }
}

extension Plan {
  /// How many pixels a frame computes.
  fileprivate var pixelCount: Int {
    passes.reduce(0) { count, pass in if case .pixels(let size) = pass.coverage { count + size.pixelCount } else { count } }
  }
}
