import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

/// Graphs that compute with light: what a pixel of the result is after the pictures were decoded and the result was encoded.
@Suite struct WorkingSpaceTests {
  private let files: TemporaryLibrary
  private let folder: TemporaryFolder
  private let ramp: String

  /// A filter of each sort that does nothing, or shows its color.
  private static let filters = [
    "same.fs": """
    /*{ "ISFVSN": "2", "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
    void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage) * vec4(0.5, 0.5, 0.5, 1.0); }
    """,
    "tint.glsl": """
    /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1] }] }*/
    vec4 colorKernel(vec4 picture) { return mix(picture, color, 0.5); }
    """,
    "light.glsl": """
    /*{ "ETALON": 1, "INPUTS": [
      { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" }, { "NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1] }] }*/
    vec4 colorKernel(vec4 picture) { return color; }
    """,
    "numbers.glsl": """
    /*{ "ETALON": 1, "INPUTS": [
      { "NAME": "inputImage", "TYPE": "image", "SPACE": "data" }, { "NAME": "other", "TYPE": "image", "SPACE": "encoded" }] }*/
    vec4 colorKernel(vec4 data, vec4 other) { return vec4(data.r, other.r, 0.0, 1.0); }
    """,
  ]

  init() throws {
    files = try TemporaryLibrary(Self.filters)
    folder = try TemporaryFolder()
    ramp = try folder.picture("ramp.png", Size(16, 16)) { x, y in [x * 17, y * 17, (x * y) % 256].map { UInt8($0) } }
  }

  private func request(_ stages: [String], _ space: WorkingSpace, on device: TestDevice = .cpu) throws -> RenderRequest {
    let library = FilterLibrary(try LibrarySearch(named: [files.path, TestScene.plugins], environment: [:]))
    var request = RenderRequest(
      graph: try StageParser().graph(stages.map { $0.replacing("RAMP", with: ramp) }), library: library)
    request.device = device.rawValue
    request.size = Size(16, 16)
    request.workingSpace = space
    request.format = .rgba32f
    return request
  }

  private func picture(_ stages: [String], _ space: WorkingSpace = .linear, on device: TestDevice = .cpu) throws -> TestPicture {
    try TestShot(request(stages, space, on: device)).picture()
  }

  private static func linear(_ value: Int) -> Double {
    let number = Double(value) / 255
    return number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ light: Double) -> Int { byte(light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) }

  @Test(arguments: TestDevice.allCases) func halfOfTheLight(device: TestDevice) throws {
    let blend = ["b: constant-color color=#000000", "w: constant-color color=#ffffff", "dissolve startImage=@b endImage=@w progress=0.5"]
    #expect(try picture(blend, on: device).pixel(3, 3) == [188, 188, 188, 255])
    #expect(try picture(blend, .encoded, on: device).pixel(3, 3) == [128, 128, 128, 255])
  }

  @Test(arguments: TestDevice.allCases) func picturesComeBackAsTheyWere(device: TestDevice) throws {
    let expected = { (x: Int, y: Int) in [x * 17, y * 17, x * y % 256, 255] }
    #expect(try picture(["RAMP", "crop 0,0,16x16"], on: device).firstDifference(expected) == nil)
    #expect(try picture(["RAMP", "orient 1", "pad 1", "crop 1,1,16x16"], on: device).firstDifference(expected) == nil)
  }

  /// Colors are as people type them, whether filters show them alone or mix them with pictures.
  @Test(arguments: TestDevice.allCases) func colorsAreMixedAsTheyLook(device: TestDevice) throws {
    #expect(try picture(["constant-color color=#408020"], on: device).pixel(1, 1) == [64, 128, 32, 255])
    let tinted = try picture(["RAMP", "tint color=#408020"], on: device)
    #expect(
      tinted.firstDifference { x, y in
        zip([x * 17, y * 17, x * y % 256], [64, 128, 32]).map { Self.encoded((Self.linear($0) + Self.linear($1)) / 2) } + [255]
      } == nil)
    // Who declares what it reads knows what it does.
    #expect(try picture(["RAMP", "light color=#808080"], on: device).pixel(1, 1)[0] == Self.encoded(128.0 / 255))
  }

  @Test(arguments: TestDevice.allCases) func filtersGetWhatTheyAskFor(device: TestDevice) throws {
    // ISF computes with the numbers of the file.
    #expect(try picture(["RAMP", "same"], on: device) == picture(["RAMP", "same"], .encoded, on: device))
    let numbers = try picture(["p: RAMP", "l: crop inputImage=@p left=0 bottom=0 width=16 height=16", "numbers other=@l"], on: device)
    #expect(numbers.firstDifference { x, _ in [byte(Self.linear(x * 17)), x * 17, 0, 255] } == nil)
  }

  /// What a node showed a frame ago is light too.
  @Test(arguments: TestDevice.allCases) func feedbackIsLight(device: TestDevice) throws {
    var request = try request(["x: dissolve startImage=RAMP endImage=before(x) progress=0.5"], .linear, on: device)
    request.format = .rgba32f
    request.frames = .range(try #require(FrameRange(0...1)))
    let trail = try TestShot(request).pictures()[1]
    let chain = [
      "p: RAMP", "n: constant-color color=#00000000", "a: dissolve startImage=@p endImage=@n progress=0.5",
      "dissolve startImage=@p endImage=@a progress=0.5",
    ]
    #expect(try picture(chain, on: device) == trail)
  }

  @Test func conversionsAreFused() throws {
    let plan = try ShotRenderer().plan(request(["RAMP", "tint", "brightness-contrast", "tint"], .linear), isDOT: false).text
    #expect(plan.split(separator: "\n").count { $0.contains("dispatch") } == 1)
    #expect(plan.components(separatedBy: ".encode.image").count == 3)
  }

  @Test(arguments: TestDevice.allCases) func imagesToo(device: TestDevice) async throws {
    var settings = RenderSettings()
    settings.workingSpace = .linear
    settings.size = Size(4, 4)
    let fade = try Image.color("#000000").transition(
      to: Image.color("#ffffff"), with: FilterLibrary(directory: TestScene.plugins)["dissolve"], progress: 0.5)
    #expect(try await device.context.render(fade, settings: settings).picture.pixel(1, 1) == [188, 188, 188, 255])
  }

  // MARK: how pictures between filters are stored

  /// Every format keeps its channels, and as many steps as it has.
  @Test(arguments: PixelFormat.allCases, TestDevice.allCases) func formats(format: PixelFormat, device: TestDevice) throws {
    var request = try request(["RAMP", "kaleidoscope count=1", "kaleidoscope count=1 angle=180"], .encoded, on: device)
    request.format = format
    let shown = try TestShot(request).picture()
    request.format = .rgba32f
    let exact = try TestShot(request).picture()
    let channels = format.channelCount
    #expect(
      shown.firstDifference { x, y in
        let (pixel, own) = (exact.pixel(x, y), shown.pixel(x, y))
        return (0..<4).map { channel in
          if channel >= channels { return channel == 3 ? 255 : 0 }
          return abs(pixel[channel] - own[channel]) <= 1 ? own[channel] : pixel[channel]
        }
      } == nil)
  }
}
