import Etalon
import EtalonDiagnostics
import EtalonInspection
import EtalonManifest
import EtalonTypes
import Foundation
import Testing

/// What the sanitizer finds in kernels whose invocations share memory and targets, and the pictures that it draws.
@Suite struct SanitizerTests {
  private static let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-sanitizer-\(UUID().uuidString)")

  private func file(_ name: String, _ text: String) throws -> String {
    let folder = Self.folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  private func result(_ text: String, maps: [MapKind] = [], frames: FrameRange? = nil) throws -> Sanitizer.Result {
    let path = try file("shader.glsl", text)
    var settings = InspectionSettings()
    settings.size = Size(32, 32)
    settings.frames = frames
    let files = maps.map { MapFile($0, "\(path).\($0.rawValue).png", overwrites: false) }
    return try Sanitizer().run(settings.request(of: path), maps: files)
  }

  /// Pictures have the value of the argument; by the specification there is none.
  @Test func parametersThatAreReadBeforeTheyAreWrittenAreTold() throws {
    let found = try result(
      """
      void add(out float sum) { sum += 0.25; }
      void mainImage(out vec4 color, in vec2 position) { float sum = 0.5; add(sum); color = vec4(sum); }
      """
    ).findings
    #expect(found.map(\.id) == ["sanitize.uninitialized-read"])
    #expect(found[0].place.map { $0.source.position(at: $0.range.lowerBound).line } == 1)
  }

  /// The compiler has variables of this name, too, for arguments of calls.
  @Test(arguments: ["param", "other"]) func variablesOfAnyNameAreWatched(name: String) throws {
    let found = try result(
      """
      float twice(float x) { return 2.0 * x; }
      void mainImage(out vec4 color, in vec2 position) {
        float sum = twice(0.0);
        for (int i = 0; i < 3; i++) { float \(name); if (i == 0) \(name) = 1.0; sum += \(name); }
        color = vec4(sum);
      }
      """
    ).findings
    #expect(found.map(\.id) == ["sanitize.uninitialized-read"])
  }

  /// Every filter that Etalon ships, by its default values.
  private static let shipped: [String] = {
    let plugins = TestShot.repository.appending(path: "Plugins").path
    let files = FileManager.default.enumerator(atPath: plugins)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".glsl") }.sorted().map { "\(plugins)/\($0)" }
  }()

  @Test func shippedFiltersAreThere() { #expect(Self.shipped.count > 170) }

  @Test(arguments: shipped) func shippedFiltersHaveNoFindings(path: String) throws {
    var settings = InspectionSettings()
    settings.size = Size(48, 32)
    let findings = try Sanitizer().run(settings.request(of: path), maps: []).findings
    #expect(findings.map { "\($0.id): \($0.message)" } == [])
  }

  private func kernel(_ body: String) -> String {
    """
    /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }], "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 16] }] }*/
    shared uint tile[256];
    void work(ivec2 position) {
      \(body)
    }
    """
  }

  private static let store = "IMG_STORE(outputImage, position, vec4(float(tile[LOCAL_INDEX])));"

  @Test(arguments: [
    ("tile[LOCAL_INDEX] = 1u; \(store)", []),
    ("tile[LOCAL_INDEX] = 1u; barrier(); tile[LOCAL_INDEX] += tile[0] & 0u; barrier(); \(store)", ["shared-race"]),
    ("tile[0] = uint(LOCAL_INDEX); barrier(); \(store)", ["shared-race", "uninitialized-shared"]),
    ("tile[0] = 7u; barrier(); \(store)", ["uninitialized-shared"]),
    ("atomicAdd(tile[3], 1u); barrier(); \(store)", ["uninitialized-shared"]),
    ("atomicAdd(tile[3], 1u); \(store)", ["shared-race", "uninitialized-shared"]),
    ("tile[LOCAL_INDEX] = 0u; barrier(); atomicAdd(tile[3], 1u); barrier(); \(store)", []),
    ("uint next = tile[LOCAL_INDEX ^ 1]; tile[LOCAL_INDEX] = 1u + next; \(store)", ["shared-race"]),
    ("tile[LOCAL_INDEX] += 1u; \(store)", ["uninitialized-shared"]),
    ("tile[LOCAL_INDEX] = 1u; if (LOCAL_INDEX > 9) return; barrier(); \(store)", ["divergent-barrier", "never-stored"]),
    ("tile[LOCAL_INDEX] = 1u; \(store) \(store)", ["stored-twice"]),
    ("tile[LOCAL_INDEX] = 1u; if (position.y > 2) \(store)", ["never-stored"]),
  ])
  func computeKernels(_ body: String, _ kinds: [String]) throws {
    let found = try result(kernel(body)).findings
    #expect(Set(found.map(\.id)) == Set(kinds.map { "sanitize.\($0)" }), "\(found.map(\.message))")
  }

  @Test func sharedMemoryThatNothingWroteToIsToldWhereItIsRead() throws {
    let body = "if (LOCAL_INDEX < 100) tile[LOCAL_INDEX] = 1u;\n  barrier();\n  uint other = tile[255 - LOCAL_INDEX];\n  "
    let found = try result(kernel(body + Self.store.replacing("tile[LOCAL_INDEX]", with: "other"))).findings
    let finding = try #require(found.first)
    #expect(found.count == 1 && finding.message == "'tile' is read where nothing of the workgroup wrote to it")
    #expect(finding.diagnostic.labels.map { $0.source.position(at: $0.range.lowerBound).line } == [6])
    #expect(finding.severity == .notPortable && finding.count.isMultiple(of: 156))
  }

  @Test func aRaceNamesBothSides() throws {
    let found = try result(
      kernel(
        "tile[LOCAL_INDEX] = uint(position.x);\n  uint next = tile[LOCAL_INDEX ^ 1];\n  \(Self.store.replacing("tile[LOCAL_INDEX]", with: "next"))"
      ))
    let race = try #require(found.findings.first)
    #expect(race.message == "'tile' is written by invocation 1 and read by invocation 0 with no barrier between")
    let lines = race.diagnostic.labels.map { $0.source.position(at: $0.range.lowerBound).line }
    #expect(lines == [5, 4] && race.diagnostic.labels[1].message == "written by invocation 1")
  }

  @Test func loopsThatDoNotEndAreLeft() throws {
    let text = """
      float endless(float x) {
        float s = x;
        for (int round = 0; round < 3; round++) {
          while (s > 12.0) { s = min(s + 1.0, 100.0); }
        }
        return s;
      }
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float sum = 0.0;
        for (int i = 0; i < 100; i++) for (int k = 0; k < 50; k++) sum += 0.001;
        fragColor = vec4(endless(fragCoord.x), sum, sqrt(fragCoord.y - 8.0), 1.0);
      }
      """
    let found = try result(text).findings
    let lines = found.map { "\($0.place.map { $0.source.position(at: $0.range.lowerBound).line } ?? 0) \($0.id)" }
    #expect(lines == ["4 sanitize.endless-loop", "11 sanitize.sqrt-domain"])
    // Three times in each pixel whose middle is right of 12: what comes behind the loop goes on.
    #expect(found.first?.count == 3 * 20 * 32 && found.first?.severity == .notPortable && found.first?.pixel == [12, 0])
    #expect(found.last?.count == 8 * 32)
  }

  @Test func readsBeyondTheReachAreTold() throws {
    func text(reach: String, _ read: String) -> String {
      """
      /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "far", "TYPE": "float", "DEFAULT": 3 }],
        "REACH": \(reach) }*/
      vec4 imageKernel(vec2 position) {
        return \(read);
      }
      """
    }
    func found(_ reach: String, _ read: String) throws -> [String] {
      try result(text(reach: reach, read)).findings.map(\.message)
    }
    let across = "IMG_PIXEL(inputImage, position + vec2(far, 0.0))"
    #expect(try found("3", across).isEmpty)
    #expect(try found("[\"far\", 0]", across).isEmpty)
    let message = "a read beyond the REACH that the header declares: x away = 3.0, y away = 0.0, x reach = 2.0, y reach = 9.0"
    #expect(try found("[2, 9]", across) == [message])
    #expect(try found("\"all\"", across).isEmpty)
    #expect(try found("0", "IMG_THIS_PIXEL(inputImage) + IMG_LOAD(inputImage, ivec2(position))").isEmpty)
    #expect(try found("1", "IMG_LOAD(inputImage, ivec2(position) + ivec2(0, -2))").count == 1)
    #expect(try found("1", "texture(inputImage, (position + vec2(1.0, -1.0)) / IMG_SIZE(inputImage))").isEmpty)
  }

  @Test func remaindersByZeroAreDivisions() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        int x = int(fragCoord.x), y = int(fragCoord.y);
        int a = 7 % x;
        int b = (x - 4) % 5;
        fragColor = vec4(float(a), float(b), float(y % 0), 1.0);
      }
      """
    let found = try result(text).findings
    let lines = found.map { "\($0.place.map { $0.source.position(at: $0.range.lowerBound).line } ?? 0) \($0.id) \($0.count)" }
    #expect(
      lines == [
        "3 sanitize.integer-division-by-zero 32", "4 sanitize.negative-remainder 128", "5 sanitize.integer-division-by-zero 1024",
      ])
  }

  @Test func sinesOfLargeNumbersHaveNoBound() throws {
    func severity(_ x: String) throws -> FindingSeverity? {
      let text =
        "void mainImage(out vec4 fragColor, in vec2 fragCoord) { fragColor = vec4(fract(sin(\(x)) * 43758.5453)); }"
      return try result(text).findings.first?.severity
    }
    #expect(try severity("fragCoord.x * 0.05") == .notPortable)
    #expect(try severity("fragCoord.x + 90.0") == .unboundedPrecision)
  }

  @Test func sinesAreToldWhereverTheirNumbersAreLarge() throws {
    func found(_ color: String) throws -> [String] {
      let text = """
        void mainImage(out vec4 fragColor, in vec2 fragCoord) {
          float t = fragCoord.x * 1e4;
          float unused = sin(t * t);
          fragColor = vec4(\(color));
        }
        """
      return try result(text).findings.map { "\($0.id.dropFirst("sanitize.".count)) \($0.severity.rawValue)" }
    }
    #expect(try found("cos(t * t * t)") == ["sine-range unbounded-precision"])
    #expect(try found("tan(t * 1e6) * 0.5") == ["sine-range unbounded-precision"])
    #expect(try found("fract(sin(t) * 43758.5453)") == ["sine-hash unbounded-precision"])
    #expect(try found("sin(t * 0.01)").isEmpty)
  }

  @Test func missingReturnsAreToldAtTheFunction() throws {
    let text = """
      float shade(float x) { // a comment
        if (x > 8.0) return x;
      }
      float other(float x) { if (x > 99.0) return x; }
      float whole(int x) { switch (x) { case 1: return 0.5; default: return 0.25; } }
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        other(fragCoord.x);
        fragColor = vec4(shade(fragCoord.x), whole(int(fragCoord.y)), 0.0, 1.0);
      }
      """
    let found = try result(text).findings
    #expect(found.map(\.id) == ["sanitize.missing-return"] && found[0].message.hasPrefix("'shade()' ends without 'return'"))
    #expect(found[0].place.map { $0.source.position(at: $0.range.lowerBound).line } == 1 && found[0].count == 8 * 32)
    #expect(found[0].calls.map { $0.source.position(at: $0.range.lowerBound).line } == [8])
  }

  @Test(arguments: [
    ("two(v, v)", ["'v' gets two different results of one call"]),
    ("two(v, w)", []), ("same(v, v)", []), ("two(unused, unused)", []), ("change(v, w)", []),
    ("one(w.x, w.x)", ["'w' gets two different results of one call"]),
    ("one(w.x, w.y)", []),
    ("change(c.xy, c.yz)", ["'c' gets two different results of one call"]),
    ("change(c.xy, c.zw)", []),
    ("number(list[1], list[1])", ["'list' gets two different results of one call"]),
    ("number(list[1], list[2])", []),
    ("number(list[int(place.x) & 3], list[2])", ["'list' gets two different results of one call"]),
    ("number(list[int(place.x) & 1], list[2])", []),
    ("both(s, s.b)", ["'s' gets two different results of one call"]),
    ("both(s, w)", []),
  ])
  func argumentsThatAreOneVariableAreTold(_ call: String, _ messages: [String]) throws {
    let text = """
      struct Pair { float a; vec2 b; };
      void two(out vec2 a, out vec2 b) { a = vec2(0.25); b = vec2(0.75, 0.25); }
      void one(out float a, out float b) { a = 0.25; b = 0.75; }
      void same(out vec2 a, out vec2 b) { a = vec2(0.25); b = vec2(0.25); }
      void change(inout vec2 a, inout vec2 b) { a += 0.25; b -= 0.5; }
      void number(inout float a, out float b) { a += 1.5; b = 0.125; }
      void both(inout Pair a, out vec2 b) { a.a = 2.0; b = vec2(7.0); }
      void mainImage(out vec4 fragColor, in vec2 place) {
        vec2 v = vec2(0.0), w = vec2(1.0), unused = vec2(2.0);
        vec4 c = vec4(0.5);
        float list[4] = float[](0.1, 0.2, 0.3, 0.4);
        Pair s = Pair(1.0, vec2(2.0));
        \(call);
        fragColor = vec4(v + w, c.xy + c.zw) + list[1] + list[2] + s.a + s.b.x;
      }
      """
    let found = try result(text).findings
    #expect(found.map(\.message) == messages)
    guard let finding = found.first else { return }
    #expect(finding.id == "sanitize.copy-out-order" && finding.severity == .undefined)
    #expect(finding.place.map { $0.source.position(at: $0.range.lowerBound).line } == 13)
    // Only some columns choose the same element.
    #expect(finding.count == (call.contains("place") ? 8 : 32) * 32)
  }

  @Test(arguments: [("float", "vec3(s)"), ("vec2", "vec3(s, 0.5)"), ("vec4", "s.rgb * s.a"), ("mat2", "vec3(s[0] + s[1], s[1].y)")])
  func aMissingReturnCountsOnceForAllPartsOfTheResult(_ type: String, _ color: String) throws {
    let text = """
      \(type) shade(float x) { if (x > 8.0) return \(type)(x); }
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        \(type) s = shade(fragCoord.x);
        fragColor = vec4(\(color), 1.0);
      }
      """
    let found = try result(text).findings
    #expect(found.map(\.diagnostic.labels[0].message) == ["256 times"], "\(found.map(\.message))")
  }

  @Test(arguments: [
    ("void mainImage(out vec4 fragColor, in vec2 p) { if (p.x > 8.0) fragColor = vec4(1.0); }", ["256 not every pixel writes the result"]),
    ("void mainImage(out vec4 fragColor, in vec2 p) { fragColor.rg = p; }", ["1024 not every pixel writes the result: z is missing"]),
    ("void mainImage(out vec4 fragColor, in vec2 p) { fragColor = vec4(p, 0.0, 1.0); }", []),
    ("/*{ \"ISFVSN\": \"2\" }*/ void main() { if (gl_FragCoord.x < 8.0) discard; gl_FragColor = vec4(1.0); }", []),
    ("void mainImage(out vec4 fragColor, in vec2 p) { if (p.x < 8.0) discard; fragColor = vec4(1.0); }", []),
  ])
  func resultsThatNotAllPixelsWrite(_ text: String, _ expected: [String]) throws {
    let found = try result(text).findings
    #expect(found.map { "\($0.count) \($0.message)" } == expected && found.allSatisfy { $0.id == "sanitize.unwritten-result" })
  }

  @Test func timesBeyondThePixelsAreSaidWithThePixels() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float sum = 0.0;
        for (int i = 0; i < 9; i++) sum += sqrt(fragCoord.x - 8.0);
        fragColor = vec4(sum, log(fragCoord.x - 8.0), 0.0, 1.0);
      }
      """
    let found = try result(text).findings
    #expect(found.map { $0.diagnostic.labels[0].message } == ["2304 times in 256 pixels", "256 times"])
    let inFrames = try result(text, frames: FrameRange([0, 1, 2])).findings
    #expect(inFrames.map { $0.diagnostic.labels[0].message } == ["6912 times in 768 pixels of 3 frames", "768 times in 3 frames"])
  }

  @Test func whatEveryDeviceDoesAlikeIsAClassOfItsOwn() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        fragColor = vec4(smoothstep(0.6, 0.4, fragCoord.x), smoothstep(0.4, 0.4, fragCoord.x), 0.0, 1.0);
        fragColor.b = smoothstep(0.9, 0.1, fragCoord.y); // etalon: allow smoothstep-edges
      }
      """
    let result = try result(text)
    #expect(
      result.findings.map { "\($0.id) \($0.severity.rawValue) \($0.severity.isFolded)" } == [
        "sanitize.smoothstep-reversed portable-in-practice true", "sanitize.smoothstep-edges undefined false",
      ])
    #expect(result.waivedCount == 1)
  }

  @Test func instructionsAreCountedWherePixelsGo() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float sum = 0.0;
        if (fragCoord.x < 8.0) for (int i = 0; i < 50; i++) sum += sin(sum + float(i));
        fragColor = vec4(sum);
      }
      """
    let map = try #require(try result(text, maps: [.instructions]).maps.first?.map)
    #expect(map.legend.map(\.pixelCount).filter { $0 > 0 } == [24 * 32, 8 * 32])
    #expect(map.pass == "image" && map.size == Size(32, 32))
  }

  @Test func theFirstNaNIsToldByItsLine() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float ray = 1.0 / (fragCoord.x - 3.5);
        float root = sqrt(fragCoord.y - 10.0);
        fragColor = vec4(ray, root, ray * root, 1.0);
      }
      """
    let map = try #require(try result(text, maps: [.nan]).maps.first?.map)
    #expect(map.legend.map(\.pixelCount) == [31 * 10, 32])
    #expect(map.legend[0].text.hasSuffix("shader.glsl:3") && map.legend[1].text.hasSuffix("shader.glsl:2"))
  }

  /// What another pass computed is told as a finding there; the map of the result shows where it is read, in channels that matter.
  @Test func aNaNThatIsReadIsToldWhereItIsRead() throws {
    let folder = try file(
      "project.json",
      """
      { "shadertoy": 1, "passes": [{ "name": "bufferA" }, { "name": "image", "channels": { "iChannel0": "bufferA" } }] }
      """)
    let path = URL(filePath: folder).deletingLastPathComponent()
    try Data(
      """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        fragColor = vec4(sqrt(fragCoord.x - 8.0), 0.5, sqrt(fragCoord.y - 4.0), 1.0);
      }
      """.utf8
    ).write(to: path.appending(path: "bufferA.glsl"))
    func map(_ expression: String) throws -> PictureMap {
      try Data("void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(\(expression));\n}\n".utf8).write(
        to: path.appending(path: "image.glsl"))
      var settings = InspectionSettings()
      settings.size = Size(32, 32)
      let result = try Sanitizer().run(
        settings.request(of: path.path), maps: [MapFile(.nan, path.appending(path: "nan.png").path, overwrites: true)])
      #expect(result.findings.map(\.id) == ["sanitize.sqrt-domain"])
      return try #require(result.maps.first?.map)
    }
    // Sampling may read the next texel, too, with a weight of zero.
    for (read, counts) in [("texelFetch(iChannel0, ivec2(p), 0).r", 256...256), ("texture(iChannel0, p / iResolution.xy).r", 256...288)] {
      let map = try map(read)
      #expect(map.legend.count == 1 && counts.contains(map.legend[0].pixelCount) && map.notes.isEmpty)
      #expect(map.legend.first?.text.hasPrefix("read at ") ?? false && map.legend.first?.text.hasSuffix("image.glsl:2") ?? false)
    }
    let finite = try map("texelFetch(iChannel0, ivec2(p), 0).g")
    #expect(finite.legend.isEmpty && finite.notes == ["all numbers that are computed or read are finite"])
  }

  @Test func pixelsMoveWhereNothingHoldsThem() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float noise = fract(sin(fragCoord.x + 0.3) * 43758.5453);
        fragColor = fragCoord.y < 8.0 ? vec4(noise, 0.0, 0.0, 1.0) : vec4(fragCoord.x * 0.03125);
      }
      """
    let path = try file("shader.glsl", text)
    var settings = InspectionSettings()
    settings.size = Size(32, 32)
    let request = try settings.request(of: path)
    let map = try #require(try StabilityRuns(count: 4, seed: 5).maps(of: request).first)
    #expect(map.frame == 0 && map.runCount == 4)
    // The top row is 31.
    #expect((0..<24 * 32).allSatisfy { map.largestChange(at: $0) == 0 })
    #expect((24 * 32..<32 * 32).count { map.changes[$0].x > 0.1 } > 150)
    #expect(map.changes.allSatisfy { $0.y == 0 && $0.w == 0 })
    let again = try #require(try StabilityRuns(count: 4, seed: 5).maps(of: request).first)
    #expect(again.changes == map.changes)
    // Runs of two seeds may round alike.
    let others = try (6...12).map { seed in try #require(try StabilityRuns(count: 4, seed: seed).maps(of: request).first).changes }
    #expect(others.contains { $0 != map.changes })
  }

  @Test func aVariableIsAPicture() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        vec2 uv = fragCoord / 32.0;
        if (fragCoord.x < 4.0) uv *= 2.0;
        float ray = 1.0 / (fragCoord.y - 0.5);
        if (fragCoord.x > 16.0) { float right = 3.0; uv.y = right; }
        fragColor = vec4(uv, ray, 1.0);
      }
      """
    let path = try file("shader.glsl", text)
    var settings = InspectionSettings()
    settings.size = Size(32, 32)
    let request = try settings.request(of: path)
    func picture(_ variable: String, line: Int? = nil) throws -> VariablePicture? {
      let files = VariableProber.Files(picture: "\(path).png", numbers: "\(path).pfm", overwrites: true)
      return try VariableProber(variable: variable, line: line).run(request, to: files)
    }
    let uv = try #require(try picture("uv"))
    #expect(uv.componentCount == 2 && uv.assignedCount == 1024 && uv.range == 0.03125 / 2...3)
    let raw = try Data(contentsOf: URL(filePath: "\(path).pfm"))
    #expect(raw.prefix(14) == Data("PF\n32 32\n-1.0\n".utf8) && raw.count == 14 + 32 * 32 * 12)
    #expect(try picture("uv", line: 3)?.assignedCount == 4 * 32)
    #expect(try picture("uv.y", line: 5)?.range == 3...3)
    #expect(try picture("ray")?.notFiniteCount == 32)
    #expect(try picture("right")?.assignedCount == 16 * 32)
    #expect(throws: ProbeError.self) { try picture("left") }
  }

  @Test func constantOperandsNeedNoRun() throws {
    let text = """
      void mainImage(out vec4 fragColor, in vec2 fragCoord) {
        float edge = smoothstep(1.0, 0.0, fragCoord.x);
        float ray = edge / 0.0;
        float limited = clamp(vec2(fragCoord.y), 0.5, -0.02).y;
        int rest = int(fragCoord.x) % -4;
        float root = fragCoord.x * sqrt(-1.0);
        float meant = smoothstep(1.0, 0.0, fragCoord.y); // etalon: allow smoothstep-edges
        fragColor = vec4(ray, limited, float(rest << 40), root + meant + pow(fragCoord.x, 2.0));
        fragColor.x += float(rest % 0);
      }
      """
    let path = try file("shader.glsl", text)
    let found = FilterCheck().check(path).diagnostics.filter { $0.id.hasPrefix("sanitize.") || $0.id == "check.needs-run" }
    let places = found.map { diagnostic in
      let line = diagnostic.labels.first.map { $0.source.position(at: $0.range.lowerBound).line } ?? 0
      return "\(line) \(diagnostic.id)"
    }
    #expect(
      Set(places) == [
        "2 sanitize.smoothstep-reversed", "3 sanitize.division-by-zero", "4 sanitize.clamp-limits", "5 sanitize.negative-remainder",
        "6 sanitize.not-finite", "8 sanitize.shift-range", "9 sanitize.integer-division-by-zero", "0 check.needs-run",
      ])
    let limits = found.first { $0.id == "sanitize.clamp-limits" }
    #expect(limits?.message == "'clamp' whose minimum is above its maximum: minimum = 0.5, maximum = -0.02")
    let note = try #require(found.first { $0.id == "check.needs-run" })
    #expect(note.message.hasSuffix("1 conversion to an integer, 1 'pow'") && note.help == ["type 'etalon sanitize \(path)'"])
  }

  /// Functions with the names of built-in ones count only where they are compiled.
  @Test(arguments: [
    "void mainImage(out vec4 c, in vec2 p) { c = vec4(NAME(p.x)); }", "void main() { gl_FragColor = vec4(NAME(gl_FragCoord.x)); }",
    "vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress * NAME(uv.x)); }",
    "/*{ \"ISFVSN\": \"2\" }*/\nvoid main() { gl_FragColor = vec4(NAME(isf_FragNormCoord.x)); }",
  ])
  func polyfillsThatAreLeftOut(_ text: String) throws {
    for condition in ["#if 0", "#if __VERSION__ < 130", "#ifdef NOWHERE"] {
      let polyfill = "\(condition)\nfloat round(float x) { return floor(x + 0.5); }\n#endif\n"
      let header = text.hasPrefix("/*") ? text.prefix(through: text.firstIndex(of: "\n") ?? text.startIndex) : ""
      let body = text.dropFirst(header.count).replacing("NAME", with: "round")
      let path = try file(
        text.contains("transition(") ? "wipe.glsl" : text.hasPrefix("/*") ? "shader.fs" : "shader.glsl", header + polyfill + body)
      #expect(FilterCheck().check(path).diagnostics.filter { $0.severity == .error }.isEmpty, "\(condition)")
    }
  }

  /// Some operands are wrong whatever the others are, and others are right only where a run shows it.
  @Test(arguments: [
    ("iFrame % 3", "1 remainder"), ("5 / (iFrame + 1)", "1 division"), ("iFrame / 3", nil), ("iFrame / -1", "1 division"),
    ("int(ldexp(1.0, iFrame))", "1 conversion to an integer, 1 'ldexp'"), ("int(ldexp(float(iFrame), 200))", "sanitize.ldexp-range"),
    ("bitfieldExtract(iFrame, 30, 10)", "sanitize.bitfield-range"), ("bitfieldExtract(iFrame, 3, iFrame)", "1 bit field"),
    ("bitfieldExtract(iFrame, 22, 10)", nil), ("clamp(iFrame, 3, 2)", "sanitize.clamp-limits"),
    ("(-7 + 0 * iFrame) % 3", "1 remainder"),
  ])
  func integersWithConstantOperands(_ expression: String, _ expected: String?) throws {
    let path = try file("shader.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(float(\(expression))); }\n")
    let found = FilterCheck().check(path).diagnostics
    let finding = found.first { $0.id.hasPrefix("sanitize.") }?.id
    let open = found.first { $0.id == "check.needs-run" }?.message.split(separator: ": ").last.map(String.init)
    #expect((finding ?? open) == expected)
  }
}
