import EtalonGraph
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// What is computed inside what, and that it changes no pixel.
@Suite struct FusionTests {
  private let graphs = TestGraphs()

  @Test func pointwiseFiltersBecomeOneKernel() throws {
    let chain = try graphs.chain(["hue-rotate", "saturation", "brightness-contrast", "gamma", "vignette"])
    let plan = try graphs.plan(chain, fuses: true).plan.plan
    #expect(
      plan.passes.map(\.name) == [
        "hue-rotate.image + saturation.image + brightness-contrast.image + gamma.image + vignette.image"
      ])
    #expect(try graphs.plan(chain, fuses: false).plan.plan.passes.count == 5)
  }

  @Test func aGatherIsTheHeadOfAChain() throws {
    let chain = try graphs.chain(["gaussian-blur", "hue-rotate", "kaleidoscope", "vignette"])
    let names = try graphs.plan(chain, fuses: true).plan.plan.passes.map(\.name)
    #expect(names.suffix(2).map { $0.split(separator: " + ").count } == [2, 2])
    #expect(names.last?.hasPrefix("kaleidoscope.image + vignette") == true)
  }

  @Test func branchesJoinInOneKernel() throws {
    let plan = try graphs.plan(graphs.mask(), fuses: true).plan.plan
    #expect(plan.passes.map(\.name) == ["pixellate.image + radial-gradient.image + blend-with-mask.image"])
  }

  @Test func aPictureThatIsReadTwiceIsStored() throws {
    let hue = try graphs.use("hue-rotate", ["inputImage": graphs.photo])
    let both = try graphs.use("source-over", ["inputImage": hue, "backgroundImage": hue])
    let plan = try graphs.plan(ImageGraph(outputs: [.init(image: both)]), fuses: true).plan.plan
    #expect(plan.passes.map(\.name) == ["hue-rotate.image", "source-over.image"])
  }

  @Test(arguments: TestDevice.allCases) func fusionChangesNoPixel(device: TestDevice) throws {
    let all = try [
      graphs.chain(["hue-rotate", "saturation", "brightness-contrast", "gamma", "vignette"]),
      graphs.chain(["gaussian-blur", "hue-rotate", "kaleidoscope", "vignette"]), graphs.mask(),
    ]
    for graph in all {
      let fused = try graphs.floats(graph, fuses: true, on: device)
      let stored = try graphs.floats(graph, fuses: false, on: device)
      if device == .cpu {
        #expect(fused == stored)
      } else {
        #expect(zip(fused, stored).allSatisfy { ($0 - $1).magnitude < 1e-4 })
      }
      #expect(Set(fused).count > 100)
    }
  }
}
