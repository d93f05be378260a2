import EtalonGraph
import EtalonPlan
import EtalonTypes
import Testing

@testable import Etalon

/// How much memory long graphs work in.
@Suite struct WorkingTextureTests {
  private let graphs = TestGraphs()
  private static let size = Size(3840, 2160)

  /// Filters that cannot be computed inside each other, one after the other over noise of 4K.
  private func chain(_ filters: [(name: String, values: [String: String])]) throws -> Plan {
    let noise = try graphs.use("noise", [:])
    let last = try filters.reduce(noise) { try graphs.use($1.name, ["inputImage": $0], $1.values) }
    let graph = ImageGraph(outputs: [.init(image: last)], size: Self.size)
    return try graphs.plan(graph).plan.plan
  }

  private static let blur = (name: "gaussian-blur", values: ["sigma": "24"])
  private static let narrowBlur = (name: "gaussian-blur", values: ["sigma": "3"])
  private static let box = (name: "box-convolution", values: [String: String]())
  private static let minimum = (name: "minimum", values: ["radius": "9"])
  private static let maximum = (name: "maximum", values: ["radius": "40"])

  private static let chains: [[(name: String, values: [String: String])]] = [
    [blur], [box], [minimum], [blur, box], [box, narrowBlur, blur, minimum], [blur, minimum, narrowBlur, maximum, box], [minimum, maximum],
  ]

  @Test(arguments: chains.indices) func twentyGathersNeedFewTextures(chain index: Int) throws {
    let pattern = Self.chains[index]
    let plan = try chain((0..<20).map { pattern[$0 % pattern.count] })
    #expect(plan.passes.count >= 20)
    #expect(plan.workingBlocks.count <= 4, "\(plan.workingBlocks.map { $0.map { "\(plan.textures[$0].size)" } })")
    #expect(plan.workingByteCount <= 4 * Self.size.pixelCount * 16)
  }

  /// Small pictures between large ones lie in memory of the large ones.
  @Test func aBlurAndABoxShare() throws {
    let plan = try chain([Self.blur, Self.box, Self.blur])
    #expect(
      PlanPrinter(plan).text == """
         1  dispatch  noise.image                    -> t0  rgba16f 3840x2160
         2  dispatch  gaussian-blur.shrinkHeight     t0 -> t1  rgba32f 3840x114
         3  dispatch  gaussian-blur.shrinkWidth      t1 -> t2  rgba32f 198x114
         4  dispatch  gaussian-blur.growWidth        t1 t2 -> t3  rgba32f 3840x114  (reuses t0)
         5  dispatch  gaussian-blur.growHeight       t3 -> t4  rgba16f 3840x2160  (reuses t1)
         6  dispatch  box-convolution.addColumnRuns  t4 -> t5  rgba32f 3840x2176  (reuses t2)
         7  dispatch  box-convolution.blurHeight     t4 t5 -> t6  rgba32f 3840x2160  (reuses t3)
         8  dispatch  box-convolution.addRowRuns     t6 -> t7  rgba32f 3856x2160  (reuses t5)
         9  dispatch  box-convolution.blurWidth      t6 t7 -> t4  rgba16f 3840x2160  (reuses t4)
        10  dispatch  gaussian-blur.shrinkHeight     t4 -> t3  rgba32f 3840x114  (reuses t6)
        11  dispatch  gaussian-blur.shrinkWidth      t3 -> t2  rgba32f 198x114  (reuses t7)
        12  dispatch  gaussian-blur.growWidth        t3 t2 -> t1  rgba32f 3840x114  (reuses t4)
        13  dispatch  gaussian-blur.growHeight       t1 -> main
        out main  rgba8 3840x2160 straight
        3 working textures, 324960 KiB

        """)
    #expect(plan.workingBlocks.count == 3)
    #expect(plan.textures.count { $0.role == .transient } == 8)
  }
}
