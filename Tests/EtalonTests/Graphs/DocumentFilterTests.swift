import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Graph documents as filters of a library.
@Suite struct DocumentFilterTests {
  private static let spot = """
    etalon: 1
    description: Squares in a circle.
    inputs: { inputImage: image }
    nodes:
      blocks: { filter: pixellate, inputs: inputImage, values: { scale: 8 } }
      circle: { filter: radial-gradient, values: { radius: 0.3, innerRadius: 0.9 } }
      result: { filter: blend-with-mask, inputs: { inputImage: blocks, backgroundImage: inputImage, maskImage: circle } }
    outputs: result
    parameters:
      blockSize: { sets: blocks.scale, label: Block size, min: 2, max: 16 }
      radius: circle.radius
    """
  /// What `spot radius=0.4` stands for.
  private static let written = [
    "photo: RAMP", "blocks: pixellate scale=8", "circle: radial-gradient radius=0.4 innerRadius=0.9",
    "blend-with-mask inputImage=@blocks backgroundImage=@photo maskImage=@circle",
  ]
  /// A trail of a picture that is itself made by a document.
  private static let trail = """
    etalon: 1
    inputs: { inputImage: image }
    nodes:
      tiles: { filter: spot, inputs: inputImage }
      dim: { filter: brightness-contrast, inputs: { inputImage: { previous: lit } }, values: { brightness: -0.1 } }
      lit: { filter: dissolve, inputs: { startImage: tiles, endImage: dim }, values: { progress: 0.5 } }
    outputs: lit
    parameters: { amount: lit.progress, blockSize: { sets: tiles.blockSize, max: 12 } }
    """

  private let files: TemporaryLibrary
  private let folder: TemporaryFolder
  private let ramp: String

  init() throws {
    files = try TemporaryLibrary(["stylize/spot.yaml": Self.spot, "trail.yaml": Self.trail])
    folder = try TemporaryFolder()
    ramp = try folder.picture("ramp.png", Size(48, 32)) { x, y in [x * 5, y * 7, (x + y) % 9 * 28].map { UInt8($0) } }
  }

  private var library: FilterLibrary {
    get throws { FilterLibrary(try LibrarySearch(named: [files.path, TestScene.plugins], environment: [:])) }
  }

  /// Everything that the libraries hold, read anew.
  private var listings: [FilterListing] {
    get throws {
      let library = try library
      return library.listings(FilterIndexer(cacheFolder: nil) { try FilterFile.read($0, library: library) })
    }
  }

  private func request(_ stages: [String], on device: TestDevice = .cpu) throws -> RenderRequest {
    var request = RenderRequest(
      graph: try StageParser().graph(stages.map { $0.replacing("RAMP", with: ramp) }), library: try library)
    request.device = device.rawValue
    return request
  }

  private func pictures(_ stages: [String], frames: Int = 1, on device: TestDevice = .cpu) throws -> [TestPicture] {
    var request = try request(stages, on: device)
    request.clock = ShotClock(rate: 10)
    request.frames = .range(try #require(FrameRange(0...frames - 1)))
    return try TestShot(request).pictures()
  }

  private func diagnostics(_ stages: [String], frames: Int = 1) throws -> [String] {
    do {
      _ = try pictures(stages, frames: frames)
      return []
    } catch let error as DiagnosticsError {
      return error.diagnostics.map { found in
        let place = found.labels.first.map {
          "\($0.source.path.split(separator: "/").last ?? ""):\($0.source.position(at: $0.range.lowerBound).column) "
        }
        return "\(place ?? "")\(found.message) [\(found.id)]"
      }
    }
  }

  // MARK: what it is

  @Test func libraryShowsIt() throws {
    let listing = try #require(listings.first { $0.name == "spot" })
    let summary = try #require(listing.summary)
    #expect(summary.kind == "filter")
    #expect(summary.dialect == "graph")
    #expect(summary.description == "Squares in a circle.")
    #expect(summary.categories == ["stylize"])
    #expect(summary.inputs == ["inputImage"])
    #expect(summary.parameters == ["blockSize", "radius"])
  }

  /// Other YAML of a folder is no filter, and neither is a graph that leaves nothing to others.
  @Test func onlyGraphsThatLeaveSomethingOpen() throws {
    try files.write("name: something\nparameters: {}\n", to: "settings.yaml")
    try files.write("etalon: 1\nnodes: { a: { filter: noise } }\noutputs: a\n", to: "shot.yaml")
    try files.write("etalon: 1\nnodes: { a: { filter: noise } }\noutputs: a\nparameters: { scale: a.scale }\n", to: "grain.yml")
    let names = try listings.filter { $0.library.path == files.path }.map(\.name)
    #expect(names == ["grain", "spot", "trail"])
    #expect(throws: DiagnosticsError.self) { try library.location(of: "shot") }
  }

  @Test func parametersAreThoseOfTheNodes() throws {
    let spot = try library["spot"]
    #expect(spot.kind == .filter)
    #expect(spot.inputs.map(\.name) == ["inputImage"])
    let size = try #require(spot.parameters.first)
    #expect(size.label == "Block size")
    #expect(size.defaultValue == Value(.float, [8]))
    #expect(size.minimum == Value(.float, [2]))
    #expect(size.maximum == Value(.float, [16]))
    #expect(size.unit == "px")
    // The narrowest of all the documents on the way.
    #expect(try library["trail"].parameters.map { $0.maximum?.components ?? [] } == [[1], [12]])
  }

  // MARK: what it shows

  @Test func becomesPartOfTheGraphAroundIt() throws {
    let renderer = ShotRenderer()
    let plan = try renderer.plan(request(["RAMP", "spot radius=0.4", "mono"]), isDOT: false).text
    #expect(plan == (try renderer.plan(request(Self.written + ["mono"]), isDOT: false).text.replacing("blend-with-mask.", with: "result.")))
    #expect(plan.contains("blocks.image + circle.image + result.image + mono.image"))
  }

  @Test(arguments: TestDevice.allCases) func showsWhatItsNodesShow(device: TestDevice) throws {
    #expect(try pictures(["RAMP", "spot radius=0.4"], on: device) == pictures(Self.written, on: device))
    #expect(try pictures(["RAMP", "spot radius=0.4"], on: device) != pictures(["RAMP", "spot"], on: device))
  }

  /// Two uses of one document with feedback keep apart, and equal ones are one.
  @Test(arguments: TestDevice.allCases) func feedbackIsTheUsesOwn(device: TestDevice) throws {
    let chain = { (name: String, amount: String) in
      [
        "\(name)s: pixellate inputImage=@photo scale=(4 + 20*time)", "\(name)c: radial-gradient radius=0.3 innerRadius=0.9",
        "\(name)t: blend-with-mask inputImage=@\(name)s backgroundImage=@photo maskImage=@\(name)c",
        "\(name)d: brightness-contrast inputImage=before(\(name)) brightness=-0.1",
        "\(name): dissolve startImage=@\(name)t endImage=@\(name)d progress=\(amount)",
      ]
    }
    let expected = try pictures(
      ["photo: RAMP"] + chain("a", "0.5") + chain("b", "0.8") + ["dissolve startImage=@a endImage=@b progress=0.5"], frames: 4, on: device)
    let stages = [
      "photo: RAMP", "a: trail blockSize=(4 + 20*time)", "b: trail inputImage=@photo blockSize=(4 + 20*time) amount=0.8",
      "dissolve startImage=@a endImage=@b progress=0.5",
    ]
    #expect(try pictures(stages, frames: 4, on: device) == expected)
    let same = stages.map { $0.replacing(" amount=0.8", with: "") }
    let plan = try ShotRenderer().plan(request(same), isDOT: false).text
    #expect(plan.split(separator: "\n").count { $0.contains("before") } == 1)
  }

  // MARK: values

  /// An expression means the parameters of the document, whatever its nodes call theirs.
  @Test func expressionsMeanTheDocument() throws {
    let byHand = Self.written.map {
      $0.replacing("scale=8", with: "scale=(10 - 2.0*TIME)").replacing("radius=0.4", with: "radius=(0.05*(10 - 2.0*TIME))")
    }
    #expect(try pictures(["RAMP", "spot blockSize=(10 - 2*time) radius=(0.05*blockSize)"], frames: 3) == pictures(byHand, frames: 3))
    #expect(
      try diagnostics(["RAMP", "spot radius=(0.02*scale)"]) == ["stage 2:19 undeclared identifier 'scale' [glsl.undeclared-identifier]"])
    #expect(
      try diagnostics(["RAMP", "spot blockSize={0s: 4, 1s: 8} radius=(0.02*blockSize)"]) == [
        "stage 2:39 the value of 'radius' mentions 'blockSize' of 'spot', which changes by itself [value.graph-parameter]"
      ])
  }

  @Test func valuesAreCheckedAgainstTheDocument() throws {
    #expect(
      try diagnostics(["RAMP", "spot blockSize=20 size=3"]) == [
        "stage 2:16 '20' is out of range for 'blockSize' [value.range]",
        "stage 2:19 'spot' has no parameter or constant 'size' [value.unknown-name]",
      ])
    #expect(
      try diagnostics(["RAMP", "trail blockSize=(10 + 10*time)"], frames: 5) == [
        "stage 2:18 at frame 3 (time 0.3 s) the expression gives 13, which is out of range for 'blockSize' [value.range]"
      ])
  }

  @Test func inputsAreThoseThatAreOpen() throws {
    #expect(try diagnostics(["spot"]) == ["stages:1 'spot' reads 'inputImage', and nothing was given for it [input.missing]"])
    #expect(
      try diagnostics(["RAMP", "spot maskImage=x.png"]) == [
        "stage 2:6 'spot' has no parameter or constant 'maskImage' [value.unknown-name]"
      ])
  }

  // MARK: documents that are wrong

  private func diagnostics(_ text: String, in file: String = "wrong.yaml") throws -> [String] {
    try files.write(text, to: file)
    return try diagnostics(["RAMP", String(file.prefix { $0 != "." })])
  }

  @Test func cyclesAreRefused() throws {
    try files.write(
      "etalon: 1\ninputs: { inputImage: image }\nnodes: { b: { filter: wrong, inputs: inputImage } }\noutputs: b\n", to: "other.yaml")
    let wrong = "etalon: 1\ninputs: { inputImage: image }\nnodes: { a: { filter: other, inputs: inputImage } }\noutputs: a\n"
    #expect(
      try diagnostics(wrong) == ["other.yaml:23 documents apply each other: wrong.yaml -> other.yaml -> wrong.yaml [graph.document-cycle]"])
    #expect(
      try diagnostics(wrong.replacing("other", with: "wrong")) == ["wrong.yaml:23 'wrong.yaml' applies itself [graph.document-cycle]"])
  }

  /// Documents each of which applies the one before it, up to a last one.
  private func nested(_ count: Int, applying filter: String) throws -> String {
    for number in 1...count {
      let applied = number == 1 ? filter : "nested-\(number - 1)"
      let text = "etalon: 1\ninputs: { inputImage: image }\nnodes: { a: { filter: \(applied), inputs: inputImage } }\noutputs: a\n"
      try files.write(text, to: "nested-\(number).yaml")
    }
    return "nested-\(count)"
  }

  @Test func documentsApplyEachOtherEightDeep() throws {
    #expect(try diagnostics(["RAMP", nested(8, applying: "mono")]) == [])
    #expect(
      try diagnostics(["RAMP", nested(9, applying: "mono")]) == [
        "nested-2.yaml:23 documents apply each other, at most 8 of them one inside the other [limit.documents]"
      ])
    let missing = try diagnostics(["RAMP", nested(8, applying: "monoo")])
    #expect(missing == ["nested-1.yaml:23 no library has a filter 'monoo' [library.unknown-filter]"])
  }

  /// A document with two filters, one behind the other, over images that are as deep as may be.
  @Test func nodesOfDocumentsCountWithThoseBeforeThem() throws {
    let library = try library, spot = try library["spot"]
    var recipe = try Image(contentsOf: ramp).recipe
    for _ in 0..<ImageRecipe.mostDepth - 2 { recipe = try recipe.applying(ImageKernels.copy, [:], inputs: [:], label: "copy") }
    let image = Image(recipe)
    let most = try image.applying(spot)
    #expect(try most.recipe.depth == ImageRecipe.mostDepth && most.extent.size == Size(48, 32))
    let error = #expect(throws: DiagnosticsError.self) { try image.oriented(.rotated180).applying(spot) }
    let found = try #require(error?.diagnostics.first)
    #expect(found.id == "limit.depth" && found.message == "in the node 'result': more than 1000 filters stand one behind the other")
    #expect(found.labels.first?.source.path.hasSuffix("spot.yaml") ?? false)
    #expect(throws: DiagnosticsError.self) { try most.applying(library["mono"]) }
    #expect(throws: DiagnosticsError.self) { try most.composited(over: image) }
    #expect(throws: DiagnosticsError.self) { try most.oriented(.upright) }
  }

  /// A document may name its nodes from the last to the first.
  @Test func nodesAreOrderedHoweverManyReadEachOther() throws {
    let count = 50_000
    let order = try GraphOrder(GraphText(), reads: (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }).nodes
    #expect(order == (0..<count).reversed())
  }

  @Test func errorsPointIntoTheDocument() throws {
    let start =
      "etalon: 1\ninputs: { inputImage: image }\nnodes:\n  a: { filter: pixellate, inputs: inputImage, values: { scale: 8 } }\n  b: { filter: vignette, inputs: a }\noutputs: b\nparameters:\n"
    #expect(try diagnostics(start + "  x: a.size\n") == ["wrong.yaml:6 no node has a parameter 'a.size' [graph.unknown-target]"])
    #expect(
      try diagnostics(start + "  x: { sets: [a.scale, a.center] }\n") == [
        "wrong.yaml:24 'x' sets parameters of several types [graph.parameter-type]"
      ])
    #expect(
      try diagnostics(start + "  x: { sets: a.scale, max: 4 }\n") == [
        "wrong.yaml:28 8, which the document gives to 'a.scale', is out of range for 'x' [value.range]"
      ])
    #expect(
      try diagnostics(start.replacing("scale: 8", with: "scal: 8") + "  x: a.center\n") == [
        "wrong.yaml:57 'pixellate' has no parameter or constant 'scal' [value.unknown-name]"
      ])
  }

  // MARK: in Swift

  @Test func imagesAreWhatIsWritten() throws {
    let (library, photo) = (try library, try Image(contentsOf: ramp))
    let spot = try photo.applying(library["spot"], ["radius": 0.4])
    let blocks = try photo.applying(library["pixellate"], ["scale": 8])
    let circle = try Image(library["radial-gradient"], ["radius": 0.4, "innerRadius": 0.9])
    #expect(try spot == blocks.applying(library["blend-with-mask"], inputs: ["backgroundImage": photo, "maskImage": circle]))
    #expect(try library["spot"] == Filter(contentsOf: files.path + "/stylize/spot.yaml"))
    #expect(try library["spot"] != library["trail"])
  }

  @Test func imagesKeepTheirFeedback() async throws {
    let image = try Image(contentsOf: ramp).applying(library["trail"], ["blockSize": .expression("4 + 20*time")])
    let context = try TestDevice.cpu.context
    let expected = try pictures(["RAMP", "trail blockSize=(4 + 20*time)"], frames: 4)
    var shown: [TestPicture] = []
    for try await frame in try context.frames(of: image, in: 0..<4, rate: 10) { shown.append(frame.picture) }
    #expect(shown == expected)
  }

  @Test func errorsInValuesOfImages() throws {
    let photo = try Image(contentsOf: ramp)
    #expect(throws: DiagnosticsError.self) { try photo.applying(library["spot"], ["blockSize": 40]) }
    #expect(throws: DiagnosticsError.self) { try Image(library["spot"]) }
    #expect(throws: DiagnosticsError.self) { try photo.applying(library["spot"], ["radius": .expression("scale")]) }
  }
}
