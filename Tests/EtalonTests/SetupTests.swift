import EtalonGraph
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// What of a graph is computed once, before its first frame.
@Suite struct SetupTests {
  private let graphs = TestGraphs()
  private let pulse = ["amount": "0.5 + 0.5 * sin(time * 3.0)"]

  /// The names of what goes before the first frame, and of what every frame does.
  private func passes(_ image: ImageRecipe, feedback: [String: ImageRecipe] = [:]) throws -> (setup: [String], frame: [String]) {
    let plan = try GraphRun(graphs.graph(image, feedback: feedback), of: graphs, frames: 3).plan.plan.plan
    return (plan.setupPasses.map(\.name), plan.passes.map(\.name))
  }

  private func blurred(_ name: String = "photo") throws -> ImageRecipe {
    try graphs.use("gaussian-blur", ["inputImage": graphs.photo], ["sigma": "3"])
  }

  @Test func aBlurOfAPhotoUnderAVignetteThatChanges() throws {
    let image = try graphs.use("vignette", ["inputImage": blurred()], animated: pulse)
    let (setup, frame) = try passes(image)
    #expect(
      setup == ["shrinkHeight", "shrinkWidth", "growWidth", "growHeight"].map { "gaussian-blur.\($0)" })
    #expect(frame == ["vignette.image"])
    let plan = try GraphRun(graphs.graph(image), of: graphs, frames: 3).plan.plan.plan
    #expect(plan.textures.filter { $0.role == .setup }.map(\.name) == ["gaussian-blur"])
  }

  @Test func whatFollowsABlurStaysWithIt() throws {
    let hue = try graphs.use("hue-rotate", ["inputImage": blurred()])
    let (setup, frame) = try passes(graphs.use("vignette", ["inputImage": hue], animated: pulse))
    #expect(setup.last == "gaussian-blur.growHeight + hue-rotate.image")
    #expect(frame == ["vignette.image"])
  }

  @Test func whatCostsLittleStaysInItsReader() throws {
    let hue = try graphs.use("hue-rotate", ["inputImage": graphs.photo])
    let (setup, frame) = try passes(graphs.use("vignette", ["inputImage": hue], animated: pulse))
    #expect(setup == [])
    #expect(frame == ["hue-rotate.image + vignette.image"])
  }

  @Test func aGraphThatNeverChangesHasNoSetup() throws {
    let (setup, frame) = try passes(graphs.use("vignette", ["inputImage": blurred()]))
    #expect(setup == [])
    #expect(frame.count == 4)
  }

  @Test func whatDependsOnAClockOrTheFrameBeforeIsComputedByFrames() throws {
    let trail = try graphs.use("feedback-trail", ["inputImage": blurred()])
    #expect(try passes(trail).setup.count == 4)
    let noise = try graphs.use("box-convolution", ["inputImage": graphs.use("noise", [:], ["animated": "true"])])
    #expect(try passes(noise).setup == [])
    let before = ImageRecipe(.before("loop"), label: "loop")
    let loop = try graphs.use(
      "source-over", ["inputImage": blurred(), "backgroundImage": graphs.use("box-convolution", ["inputImage": before])])
    let (setup, frame) = try passes(loop, feedback: ["loop": loop])
    #expect(setup.allSatisfy { $0.hasPrefix("gaussian-blur") } && setup.count == 4)
    #expect(frame.contains { $0.contains("box-convolution") })
  }

  @Test(arguments: TestDevice.allCases) func itChangesNoPixel(device: TestDevice) throws {
    let mask = try graphs.use("maximum", ["inputImage": graphs.use("radial-gradient", [:])])
    let image = try graphs.use(
      "blend-with-mask",
      [
        "inputImage": graphs.use("vignette", ["inputImage": blurred()], animated: pulse), "backgroundImage": graphs.photo,
        "maskImage": mask,
      ])
    let graph = graphs.graph(image)
    let run = try GraphRun(graph, of: graphs, frames: 3)
    #expect(run.plan.plan.plan.setupPasses.count > 4)
    let once = try run.bytes(0..<3, on: device)
    let each = try GraphRun(graph, of: graphs, frames: 3, hoists: false)
    #expect(each.plan.plan.plan.setup.isEmpty)
    let unhoisted = try each.bytes(0..<3, on: device)
    #expect(Set(once).count == 3)
    for (one, other) in zip(once, unhoisted) {
      let differences = zip(one.floats, other.floats).map { ($0 - $1).magnitude }
      #expect(differences.max() ?? 1 <= (device == .cpu ? 0 : 1e-4))
    }
  }
}
