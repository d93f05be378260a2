import EtalonDiagnostics
import EtalonDialects
import EtalonGraph
import EtalonManifest
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Projects of several passes, rendered.
@Suite struct ProjectTests {
  private func shot(_ project: String, on device: TestDevice, size: Size) -> TestShot {
    var shot = TestShot(project, on: device, size: size)
    shot.request.filter = .file(TestShot.folder.appending(path: project).path)
    return shot
  }

  @Test(arguments: [("b-before-a", [1, 2, 3]), ("a-before-b", [0, 1, 2])], TestDevice.allCases)
  func buffersRunInTheOrderOfTheList(_ project: (name: String, reds: [Int]), on device: TestDevice) throws {
    var shot = shot(project.name, on: device, size: Size(2, 2))
    shot.request.frames = .range(try #require(FrameRange(0...2)))
    #expect(try shot.pictures().map { $0.pixel(1, 1)[0] } == project.reds)
  }

  /// Two passes have it in front of them; its mistake is one, in a line of its own.
  @Test func aMistakeOfCommonIsToldOnceAtItsPlace() throws {
    let folder = try TemporaryFolder()
    func pass(_ name: String, _ type: String, _ code: String, _ output: String) -> String {
      #"{"inputs": [], "outputs": [{"id": "\#(output)", "channel": 0}], "code": "\#(code)", "name": "\#(name)", "type": "\#(type)"}"#
    }
    let main = "void mainImage(out vec4 c, in vec2 p) { c = vec4(twice(0.25)); }"
    func export(_ common: String) throws -> String {
      let passes = [
        pass("Common", "common", common, ""), pass("Buffer A", "buffer", main, "4dXGR8"), pass("Image", "image", main, "4dfGRr"),
      ]
      let text = #"{"Shader": {"info": {"id": "MllSzX", "name": "Twice As RED"}, "renderpass": [\#(passes.joined(separator: ","))]}}"#
      try Data(text.utf8).write(to: URL(filePath: folder.file("MllSzX.json")))
      return folder.file("MllSzX.json")
    }
    let wrong = RenderRequest(filter: .file(try export("float one;\\nfloat twice(float x) { return x * to; }")))
    let error = #expect(throws: DiagnosticsError.self) { _ = try ShotRenderer().prepare(wrong) }
    #expect(error?.diagnostics.map(\.id) == ["glsl.undeclared-identifier"])
    let label = try #require(error?.diagnostics.first?.labels.first)
    #expect(label.source.path.hasSuffix("MllSzX.json#common"))
    #expect(label.source.position(at: label.range.lowerBound) == (2, 35))
    // Ids and titles keep their case.
    let filter = try FilterFile.read(try export("float twice(float x) { return x * 2.0; }")).manifest
    #expect(filter.name == "MllSzX" && filter.about.title == "Twice As RED")
  }

  @Test(arguments: TestDevice.allCases) func aLooseFileReadsItselfAndOthers(on device: TestDevice) throws {
    for (name, channel) in [("counting.glsl", 0), ("shown.glsl", 1)] {
      var shot = shot(name, on: device, size: Size(4, 4))
      shot.request.frames = .range(try #require(FrameRange(0...2)))
      #expect(
        try shot.pictures().map { $0.pixel(1, 2) } == [2, 4, 6].map { level in (0..<4).map { $0 == channel ? level : $0 == 3 ? 255 : 0 } })
    }
  }

  @Test(arguments: TestDevice.allCases) func keysFollowTheEventsFile(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("keys.csv")
    try Data("0f, key, down, space\n2f, key, up, space\n# again\n3f, key, tap, space\n".utf8).write(to: URL(filePath: file))
    var shot = shot("keys", on: device, size: Size(3, 1))
    shot.request.frames = .range(try #require(FrameRange(0...4)))
    shot.request.eventsFile = file
    let pictures = try shot.pictures()
    let rows = pictures.map { picture in (0..<3).map { picture.pixel($0, 0)[0] } }
    #expect(rows == [[255, 255, 255], [255, 0, 255], [0, 0, 255], [255, 255, 0], [0, 0, 0]])
    #expect(pictures[0].pixel(0, 0) == [255, 0, 0, 255])
  }

  @Test(arguments: TestDevice.allCases) func discardedPixelsOfABufferStay(on device: TestDevice) throws {
    var shot = shot("kept-pixels", on: device, size: Size(4, 4))
    shot.request.frames = .range(try #require(FrameRange(0...4)))
    let pictures = try shot.pictures()
    #expect(pictures.map { $0.pixel(2, 1)[0] } == [1, 2, 2, 2, 2])
    #expect(pictures[4].pixel(2, 1) == pictures[1].pixel(2, 1))
  }

  @Test(arguments: TestDevice.allCases) func aCubeThatNothingReadsNeedsNoPicture(on device: TestDevice) throws {
    let shot = shot("unread-cube", on: device, size: Size(2, 2))
    #expect(try shot.picture().pixel(0, 0) == [51, 102, 153, 255])
  }

  @Test(arguments: TestDevice.allCases) func exposedConstantsTakeValues(on device: TestDevice) throws {
    var shot = shot("exposed", on: device, size: Size(1, 1))
    #expect(try shot.picture().pixel(0, 0) == [51, 51, 51, 255])
    shot.request.settings = [.init(name: "LEVEL", value: "0.6")]
    #expect(try shot.picture().pixel(0, 0) == [153, 153, 153, 255])
    shot.request.settings = [.init(name: "LEVEL", value: "1.5")]
    #expect(throws: DiagnosticsError.self) { try shot.prepared() }
  }

  @Test(arguments: TestDevice.allCases) func findsTheSitesPictures(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    _ = try folder.picture("london.png", Size(4, 4)) { x, y in [UInt8(10 * x), UInt8(10 * y), 7] }
    let noise = "0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png"
    _ = try folder.picture(noise, Size(4, 4)) { x, y in [UInt8(10 * x + y), 99, 99] }
    var shot = shot("site-pictures", on: device, size: Size(4, 4))
    shot.request.assets = folder.url.path
    let picture = try shot.picture()
    #expect(picture.firstDifference { x, y in x < 2 ? [10 * x, 10 * y, 7, 255] : [10 * x + y, 0, 0, 255] } == nil)
  }

  /// The number of a title is no number of a face.
  @Test(arguments: ["Abstract_1.png", "abstract 1.png", "abstract-1.png"]) func numbersOfTitlesAreNoFaces(_ name: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.picture(name, Size(2, 2)) { _, _ in [7, 8, 9] }
    let asset = try #require(ShaderToyAssets.entry(title: "Abstract 1")).asset
    let found = try AssetFolder(folder.url.path).picture(
      asset, for: FilterInput(name: "iChannel0", origin: .asset(asset), sampler: Sampler(.linear, .clamp)))
    #expect(found?.size == Size(2, 2))
  }

  @Test(arguments: TestDevice.allCases) func findsTheFacesOfACube(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    for face in 0..<6 {
      _ = try folder.picture(face == 0 ? "Forest.png" : "Forest_\(face).png", Size(2, 2)) { _, _ in [UInt8(40 * face), 0, 0] }
    }
    var shot = shot("site-cube", on: device, size: Size(6, 1))
    shot.request.assets = folder.url.path
    let picture = try shot.picture()
    #expect((0..<6).map { picture.pixel($0, 0)[0] } == [0, 40, 80, 120, 160, 200])
    try FileManager.default.removeItem(atPath: folder.file("Forest_4.png"))
    #expect(throws: RenderError.self) { try shot.prepared() }
  }

  /// Six files beside each other, of which the project names the first.
  @Test(arguments: TestDevice.allCases) func findsTheFacesBesideAFile(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let faces = try (0..<6).map { (face: Int) -> String in
      let name = face == 0 ? "sky.png" : "sky_\(face).png"
      return try folder.picture(name, Size(2, 2)) { _, _ in [UInt8(40 * face), 0, 0] }
    }
    var shot = shot("site-cube", on: device, size: Size(6, 1))
    shot.request.inputs = [.init(input: "iChannel0", path: faces[0])]
    let levels = [0, 40, 80, 120, 160, 200]
    let picture = try shot.picture()
    #expect((0..<6).map { picture.pixel($0, 0)[0] } == levels)
    shot.request.samplers = [("iChannel0", SamplerChange(isFlipped: true))]
    let turned = try shot.picture()
    #expect((0..<6).map { turned.pixel($0, 0)[0] } == levels)
    try FileManager.default.removeItem(atPath: folder.file("sky_4.png"))
    let lacking = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(lacking?.diagnostics.map(\.message) == ["the cube '\(faces[0])' of input 'iChannel0' lacks a face"])
    _ = try folder.picture("sky_4.png", Size(2, 3)) { _, _ in [0, 0, 0] }
    let unequal = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(unequal?.diagnostics.map(\.id) == ["input.cube"])
  }

  /// Slices side by side, below each other, and in files of their own.
  @Test(arguments: TestDevice.allCases) func findsTheSlicesOfAVolume(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    func red(_ column: Int, _ row: Int, _ slice: Int) -> UInt8 { UInt8(100 * row + 10 * slice + column) }
    // Pictures are made from their lowest row, and the first row of a slice is the highest.
    _ = try folder.picture("rgba-noise3d.png", Size(6, 2)) { x, y in [red(x % 2, 1 - y, x / 2), 7, 0] }
    let stack = try folder.picture("stack.png", Size(2, 6)) { x, y in [red(x, (5 - y) % 2, (5 - y) / 2), 7, 0] }
    for slice in 0..<3 { _ = try folder.picture("slice.\(slice + 1).png", Size(2, 2)) { x, y in [red(x, 1 - y, slice), 7, 0] } }
    var shot = shot("site-volume", on: device, size: Size(10, 2))
    func check(_ shot: TestShot, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let difference = try shot.picture().firstDifference { x, y in
        switch x / 2 {
        case 3: [2, 2, 3, 255]
        case 4: [Int(red(1, 0, 2)), 7, 3, 255]
        default: [Int(red(x % 2, y, x / 2)), 7, 0, 255]
        }
      }
      #expect(difference == nil, sourceLocation: sourceLocation)
    }
    shot.request.assets = folder.url.path
    try check(shot)
    shot.request.assets = nil
    shot.request.inputs = [.init(input: "iChannel0", path: stack)]
    try check(shot)
    shot.request.inputs = [.init(input: "iChannel0", path: folder.file("slice.#.png"), sequence: SequenceTiming())]
    try check(shot)
    try FileManager.default.removeItem(atPath: folder.file("slice.2.png"))
    let lacking = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(lacking?.diagnostics.first?.help == ["put '\(folder.file("slice.2.png"))' there"])
    shot.request.inputs = [.init(input: "iChannel0", path: try folder.picture("photo.png", Size(3, 2)) { _, _ in [0, 0, 0] })]
    let flat = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(flat?.diagnostics.map(\.id) == ["input.volume"])
  }

  /// A panorama whose left half is red and whose right half is green: it shows -X in its left half.
  @Test(arguments: TestDevice.allCases) func aPanoramaBecomesACube(on device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let panorama = try folder.picture("panorama.png", Size(16, 8)) { x, y in
      y < 1 ? [0, 0, 255] : y > 6 ? [9, 9, 9] : x < 8 ? [255, 0, 0] : [0, 255, 0]
    }
    var shot = shot("site-cube", on: device, size: Size(6, 1))
    shot.request.inputs = [.init(input: "iChannel0", path: panorama)]
    let picture = try shot.picture()
    #expect(picture.pixel(0, 0) == [0, 255, 0, 255] && picture.pixel(1, 0) == [255, 0, 0, 255])
  }

  /// A loose file names the faces of a cube as a preview of an editor does.
  @Test(arguments: [["e", "w", "u", "d", "n", "s"], ["posx", "negx", "posy", "negy", "posz", "negz"]])
  func aLooseFileReadsACube(names: [String]) throws {
    let folder = try TemporaryFolder()
    for (face, name) in names.enumerated() {
      _ = try folder.picture("sky_\(name).png", Size(2, 2)) { _, _ in [UInt8(40 * face), 0, 0] }
    }
    let image = try String(contentsOf: TestShot.folder.appending(path: "site-cube/image.glsl"), encoding: .utf8)
    let text = """
      #iChannel0 "file://sky_{}.png"
      #iChannel0::Type "CubeMap"
      #iChannel0::MinFilter "Nearest"
      \(image)
      """
    try text.write(toFile: folder.file("loose.glsl"), atomically: true, encoding: .utf8)
    var shot = shot("site-cube", on: .cpu, size: Size(6, 1))
    shot.request.filter = .file(folder.file("loose.glsl"))
    let picture = try shot.picture()
    #expect((0..<6).map { picture.pixel($0, 0)[0] } == [0, 40, 80, 120, 160, 200])
    try FileManager.default.removeItem(atPath: folder.file("sky_\(names[3]).png"))
    let lacking = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(lacking?.diagnostics.map(\.id) == ["input.cube"])
  }

  /// A graph that leaves the picture of a volume open shows a test card of its shape, and takes files of all forms.
  @Test(arguments: [("site-volume", Size(8, 2)), ("site-cube", Size(12, 2))])
  func anOpenInputOfAGraphHasTheShapeOfItsReader(project: String, strip: Size) throws {
    let folder = try TemporaryFolder()
    let document = """
      etalon: 1
      size: 6x2
      inputs: { open: image }
      nodes: { a: { filter: \(TestShot.folder.appending(path: project).path), inputs: { iChannel0: open } } }
      outputs: { main: { node: a } }
      """
    try document.write(toFile: folder.file("graph.yaml"), atomically: true, encoding: .utf8)
    var shot = shot("site-cube", on: .cpu, size: Size(6, 2))
    let library = FilterLibrary(try LibrarySearch(named: []))
    shot.request.subject = RenderRequest(graph: try GraphDocument.read(folder.file("graph.yaml")), library: library).subject
    #expect(throws: RenderError.self) { try shot.prepared() }
    shot.request.standIns = .testCards
    #expect(try shot.prepared().provenance(of: 0).standIns == ["open": "test-card"])
    _ = try shot.picture()
    shot.request.standIns = []
    shot.request.inputs = [.init(input: "open", path: try folder.picture("strip.png", strip) { x, _ in [UInt8(10 * (x / 2)), 0, 0] })]
    #expect(try shot.picture().pixel(2, 0)[0] == (project == "site-volume" ? 10 : 20))
    // A document around it has the same open input by another name.
    let around = document.replacing(
      "filter: \(TestShot.folder.appending(path: project).path), inputs: { iChannel0: open }",
      with: "filter: graph.yaml, inputs: { open: other }"
    ).replacing("{ open: image }", with: "{ other: image }")
    try around.write(toFile: folder.file("around.yaml"), atomically: true, encoding: .utf8)
    var outer = shot
    outer.request.subject = RenderRequest(graph: try GraphDocument.read(folder.file("around.yaml")), library: library).subject
    outer.request.inputs = [.init(input: "other", path: folder.file("strip.png"))]
    #expect(try outer.picture().pixel(2, 0) == shot.picture().pixel(2, 0))
    (outer.request.inputs, outer.request.standIns) = ([], .testCards)
    _ = try outer.picture()
    shot.request.inputs = [.init(input: "open", path: try folder.picture("flat.png", Size(3, 2)) { _, _ in [0, 0, 0] })]
    let flat = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    #expect(flat?.diagnostics.first?.message.contains("flat.png' is one picture of 3x2") == true)
  }

  /// Noise of Etalon's for that of the site: no value tells anything about its neighbours.
  @Test func noiseStandsInForAVolume() throws {
    var shot = shot("site-volume", on: .cpu, size: Size(10, 2))
    #expect(throws: RenderError.self) { try shot.prepared() }
    shot.request.standIns = .lookalikes
    #expect(try shot.prepared().provenance(of: 0).standIns == ["iChannel0": "look-alike: RGBA Noise3D"])
    #expect(try shot.picture().pixel(6, 0) == [32, 32, 32, 255])
    shot.request.standIns = .testCards
    #expect(try shot.picture().pixel(6, 0) == [32, 32, 32, 255])
  }

  /// A layer of noise ends where the next begins: upside down with steps of (37, 17), as most shaders have it, and upright with (37, 239).
  @Test(arguments: [("false", 17), ("true", 239)]) func layersOfNoiseMeet(_ isUpright: String, _ step: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("export.json")
    let source = "/media/a/f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png"
    let code =
      "void mainImage(out vec4 c, in vec2 p) { ivec2 here = ivec2(p); c = vec4(texelFetch(iChannel0, here, 0).r, texelFetch(iChannel0, (here + ivec2(37, \(step))) & 255, 0).g, 0, 1); }"
    try
      #"{ "Shader": { "ver": "0.1", "info": { "id": "x", "name": "n" }, "renderpass": [{ "inputs": [{ "id": "1", "src": "\#(source)", "ctype": "texture", "channel": 0, "sampler": { "filter": "mipmap", "wrap": "repeat", "vflip": "\#(isUpright)" } }], "outputs": [], "code": "\#(code)", "name": "Image", "type": "image" }] } }"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    var shot = TestShot(RenderRequest(filter: .file(path)))
    (shot.request.size, shot.request.device, shot.request.standIns) = (Size(16, 16), "cpu", .lookalikes)
    let picture = try shot.picture()
    for y in 0..<16 {
      for x in 0..<16 { #expect(picture.pixel(x, y)[0] == picture.pixel(x, y)[1]) }
    }
  }

  /// Browsers need no blank behind the name of a macro.
  @Test func macrosMayTouchTheirNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("touching.glsl")
    let text = """
      #define part.5
      #define end);}
      float f(float x) { return (x * part end
      void mainImage(out vec4 c, in vec2 p) { c = vec4(f(0.4)); }
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    var shot = TestShot(RenderRequest(filter: .file(path)))
    (shot.request.size, shot.request.device) = (Size(4, 4), "cpu")
    #expect(try shot.picture().pixel(1, 1) == [51, 51, 51, 255])
  }

  /// Each of the site's pictures has something of its size and shape.
  @Test func everyPictureOfTheSiteHasALookalike() throws {
    #expect(Lookalike.titles == Set(ShaderToyAssets.all.map(\.title)))
    for entry in ShaderToyAssets.all where entry.title != "Font 1" {
      let picture = try #require(Lookalike.picture(titled: entry.title) { nil })
      let count = entry.shape == .flat ? 1 : entry.shape == .cube ? 6 : entry.size.height
      #expect(picture.size == Size(entry.size.width, entry.size.height * count), "\(entry.title)")
      #expect((picture.format == .r8) == entry.isRedOnly, "\(entry.title)")
    }
  }

  @Test func videosAndSongsOfTheSiteHaveLookalikes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("export.json")
    let inputs = [
      "video": "/media/a/35c87bcb8d7af24c54d41122dadb619d.webm", "music": "/media/a/48e2d9ef22ca6673.mp3", "webcam": "", "mic": "",
    ]
    let list = inputs.keys.sorted().enumerated().map { index, kind in
      #"{ "id": "\#(index)", "src": "\#(inputs[kind] ?? "")", "ctype": "\#(kind)", "channel": \#(index) }"#
    }
    let code =
      "void mainImage(out vec4 c, in vec2 p) { c = vec4(texture(iChannel3, vec2(0.01, 0.9)).g, texture(iChannel1, vec2(0.05, 0.1)).r, texture(iChannel2, vec2(0.05, 0.9)).g + 0.0 * texture(iChannel0, vec2(0.05, 0.9)).r, 1.0); }"
    try
      #"{ "Shader": { "ver": "0.1", "info": { "id": "x", "name": "n" }, "renderpass": [{ "inputs": [\#(list.joined(separator: ","))], "outputs": [], "code": "\#(code)", "name": "Image", "type": "image" }] } }"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    var shot = TestShot(RenderRequest(filter: .file(path)))
    (shot.request.size, shot.request.device) = (Size(4, 4), "cpu")
    #expect(throws: RenderError.self) { try shot.prepared() }
    shot.request.standIns = .lookalikes
    shot.request.frames = .single(time: Rational(3))
    let prepared = try shot.prepared()
    #expect(
      try prepared.provenance(of: 0).standIns == [
        "iChannel0": "look-alike: a microphone", "iChannel1": "look-alike: a song", "iChannel2": "look-alike: a video",
        "iChannel3": "look-alike: a camera",
      ])
    #expect(prepared.warnings.map(\.id) == ["input.lookalike"])
    let pixel = try shot.picture().pixel(0, 0)
    #expect(pixel[0] > 100 && pixel[1] > 0 && pixel[2] > 0, "\(pixel)")
  }

  /// A song of Etalon's is heard in a video as one that is given, from the time of the first frame on; of several none is.
  @Test(arguments: [["music"], ["music", "mic"]]) func aSongOfEtalonsIsHeard(kinds: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("export.json")
    let list = kinds.enumerated().map { index, kind in
      #"{ "id": "\#(index)", "src": "\#(kind == "mic" ? "" : "/media/a/48e2d9ef22ca6673.mp3")", "ctype": "\#(kind)", "channel": \#(index) }"#
    }
    let reads = kinds.indices.map { "texture(iChannel\($0), p / iResolution.xy)" }.joined(separator: " + ")
    let code = "void mainImage(out vec4 c, in vec2 p) { c = \(reads); }"
    let pass = #"{ "inputs": [\#(list.joined(separator: ","))], "outputs": [], "code": "\#(code)", "name": "Image", "type": "image" }"#
    try #"{ "Shader": { "ver": "0.1", "info": { "id": "x", "name": "n" }, "renderpass": [\#(pass)] } }"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    var shot = TestShot(RenderRequest(filter: .file(path)))
    (shot.request.size, shot.request.device, shot.request.standIns) = (Size(4, 4), "cpu", .lookalikes)
    shot.request.clock = ShotClock(rate: 24)
    shot.request.frames = .range(try #require(FrameRange(24...35)))
    let prepared = try shot.prepared()
    let song = SongLookalike.song(named: "48e2d9ef22ca6673.mp3").channels[0]
    #expect(prepared.heardCount == kinds.count && prepared.heardFile == nil)
    #expect(prepared.heardSong?.channels == (kinds.count == 1 ? [Array(song[44_100..<66_150])] : nil))
    #expect(prepared.heardSong?.sampleRate == (kinds.count == 1 ? 44_100 : nil))
  }

  /// A sound or a video of the site that is there and cannot be read is no reason for a look-alike.
  @Test(arguments: ["mic.wav", "webcam.mp4"]) func filesOfTheSiteThatCannotBeReadAreRefused(name: String) throws {
    let folder = try TemporaryFolder()
    let media = FilterInput.SiteMedia(kind: name.hasPrefix("mic") ? "mic" : "webcam")
    func refusal() throws -> RenderError? {
      let assets = try AssetFolder(folder.url.path)
      return #expect(throws: RenderError.self) { try assets.file(media) }
    }
    #expect(try AssetFolder(folder.url.path).file(media) == nil)
    let path = folder.file(name)
    try Data().write(to: URL(filePath: path))
    #expect(try refusal()?.message == "'\(path)' is an empty file")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try refusal()?.underlying == "it is a folder")
    try FileManager.default.removeItem(atPath: path)
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(try refusal()?.underlying == "it is a pipe or a device")
    // What is not named as a sound or a video is another file.
    try FileManager.default.removeItem(atPath: path)
    try Data("notes".utf8).write(to: URL(filePath: folder.file("\(media.kind).txt")))
    #expect(try AssetFolder(folder.url.path).file(media) == nil)
  }

  @Test func testCardsStandInWithAWarning() throws {
    var shot = shot("site-pictures", on: .cpu, size: Size(4, 4))
    #expect(throws: RenderError.self) { try shot.prepared() }
    shot.request.standIns = .testCards
    let prepared = try shot.prepared()
    #expect(prepared.warnings.map(\.id) == ["input.test-card", "input.test-card"])
    #expect(try prepared.provenance(of: 0).standIns == ["iChannel0": "test-card: London", "iChannel1": "test-card: Gray Noise Small"])
    #expect(try shot.picture().pixel(0, 0) == [255, 255, 255, 255])
  }
}
