import Etalon
import EtalonDiagnostics
import EtalonTypes
import Foundation
import Testing

/// Numbers in files at which sums, products and conversions end: each is refused or rendered, and none ends the process.
@Suite struct HostileNumberTests {
  private static let numbers = ["-1", "16385", "4294967296", "9223372036854775808", "1e15", "1e300"]

  /// Prepares a shot of a filter file and renders its first frame; says whether it was refused.
  @discardableResult
  private static func isRefused(_ name: String, _ text: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> Bool {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    var shot = TestShot(RenderRequest(filter: .file(folder.file(name))))
    shot.request.size = Size(4, 4)
    shot.request.device = TestDevice.cpu.rawValue
    shot.request.timeout = 20
    change(&shot.request)
    do {
      _ = try shot.picture()
      return false
    } catch let error as RenderError {
      #expect(error.code != .internalError, "\(error.message)")
    } catch let error as DiagnosticsError {
      #expect(!error.diagnostics.isEmpty && error.diagnostics.allSatisfy { !$0.id.hasPrefix("internal") }, "\(error.diagnostics)")
    }
    return true
  }

  private static func isf(_ members: String) -> String {
    """
    /*{ "ISFVSN": "2", \(members) }*/
    void main() { gl_FragColor = vec4(0.5); }
    """
  }

  @Test(arguments: numbers) func sizesOfTargets(_ number: String) throws {
    for (width, height) in [
      ("\(number)", "4"), ("\"$WIDTH*\(number)\"", "\"$HEIGHT*\(number)\""), ("\"$WIDTH/\(number)\"", "4"), (number, number),
    ] {
      let passes = "\"PASSES\": [{ \"TARGET\": \"a\", \"WIDTH\": \(width), \"HEIGHT\": \(height), \"PERSISTENT\": true }, {}]"
      let text = """
        /*{ "ISFVSN": "2", \(passes) }*/
        void main() { gl_FragColor = PASSINDEX == 0 ? vec4(0.5) : IMG_NORM_PIXEL(a, isf_FragNormCoord); }
        """
      try Self.isRefused("sizes.fs", text)
    }
  }

  @Test func sidesOfOneTooManyAreRefused() throws {
    for side in ["16385", "1e18", "9223372036854775807", "999999999999"] {
      let text = """
        /*{ "ISFVSN": "2", "PASSES": [{ "TARGET": "a", "WIDTH": \(side), "HEIGHT": \(side) }, {}] }*/
        void main() { gl_FragColor = PASSINDEX == 0 ? vec4(0.5) : IMG_NORM_PIXEL(a, isf_FragNormCoord); }
        """
      #expect(try Self.isRefused("sizes.fs", text), "\(side)")
    }
  }

  @Test(arguments: numbers) func valuesOfInputs(_ number: String) throws {
    for type in ["long", "float", "point2D", "color", "bool"] {
      for key in ["DEFAULT", "MIN", "MAX", "VALUES"] {
        let value = key == "VALUES" ? "[\(number), 1], \"LABELS\": [\"a\", \"b\"]" : type == "point2D" ? "[\(number), 1]" : number
        try Self.isRefused("values.fs", Self.isf("\"INPUTS\": [{ \"NAME\": \"v\", \"TYPE\": \"\(type)\", \"\(key)\": \(value) }]"))
      }
    }
  }

  @Test(arguments: numbers) func exposedConstants(_ number: String) throws {
    for type in ["int", "uint", "float", "ivec2", "vec3"] {
      let text =
        "const \(type) N = \(type)(\(number)); // \(number)..\(number)\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(float(N == N)); }"
      try Self.isRefused("constants.glsl", text)
      try Self.isRefused(
        "constants.glsl", "#define N \(number) // 0..\(number)\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(float(N)); }"
      ) {
        $0.settings = [.init(name: "N", value: number)]
      }
    }
  }

  @Test(arguments: numbers) func workgroups(_ number: String) throws {
    for text in [
      "local_size_x = \(number)", "local_size_x = 8, local_size_y = \(number)", "local_size_x = \(number), local_size_z = \(number)",
    ] {
      try Self.isRefused(
        "groups.comp",
        """
        #version 450
        layout(\(text)) in;
        layout(rgba8, binding = 0) uniform writeonly image2D target;
        shared float cells[\(number)];
        void main() { imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(cells[0])); }
        """)
    }
  }

  @Test(arguments: numbers) func lengthsOfArrays(_ number: String) throws {
    for text in ["float a[\(number)]; a[int(p.x)] = p.y; c = vec4(a[int(p.y)]);", "for (int i = 0; i < \(number); i++) c.x += 0.001;"] {
      try Self.isRefused("arrays.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); \(text) }") { $0.device = "cpu:steps=5000" }
    }
  }

  @Test(arguments: numbers) func kernelsOfOurOwn(_ number: String) throws {
    let members = [
      "\"WIDTH\": \(number), \"HEIGHT\": \(number)", "\"WIDTH\": \"\(number)\"", "\"SCALE\": \(number)", "\"ITERATIONS\": \(number)",
      "\"REACH\": \(number)", "\"REACH\": \"\(number)\"",
    ]
    for member in members {
      let text = """
        /*{ "ETALON": 1, "PASSES": [{ "KERNEL": "first", "TARGET": "grid", \(member) }, { "KERNEL": "show" }] }*/
        vec4 first(vec2 position) { return vec4(0.5); }
        vec4 show() { return IMG_THIS_PIXEL(grid); }
        """
      try Self.isRefused("own.glsl", text)
    }
    for (count, kernel) in [(number, ""), ("16", "\"LOCAL_SIZE\": [\(number)],"), ("16", "\"DISPATCH\": [\(number), 2],")] {
      let text = """
        /*{ "ETALON": 1, "BUFFERS": [{ "NAME": "sums", "TYPE": "vec4", "COUNT": \(count) }],
          "PASSES": [{ "KERNEL": "add", \(kernel) "WRITES": [] }, { "KERNEL": "show" }] }*/
        void add(ivec2 position) { sums[0] = vec4(0.5); }
        vec4 show() { return sums[0]; }
        """
      try Self.isRefused("own.glsl", text) { $0.device = "cpu:steps=5000" }
    }
  }
}
