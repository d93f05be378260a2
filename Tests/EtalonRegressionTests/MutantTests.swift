import EtalonDiagnostics
import EtalonRegression
import Testing

/// Which small changes are made of a file, and where none are.
@Suite struct MutantTests {
  /// `kind line:column old line → new line`, sorted, with what the lines have in common left out.
  private func changes(_ text: String, path: String = "a.glsl", isProject: Bool = false) -> [String] {
    Mutant.all(of: SourceText(path: path, text: text), isProject: isProject).map { mutant in
      let (before, after) = (Array(mutant.before), Array(mutant.after))
      let head = zip(before, after).prefix { $0 == $1 }.count
      let rest = min(before.count, after.count) - head
      let tail = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.prefix(rest).count
      return
        "\(mutant.kind.rawValue) \(mutant.line):\(mutant.column) \(String(before[head..<before.count - tail])) → \(String(after[head..<after.count - tail]))"
    }
  }

  @Test func numbersOperatorsAndComponents() {
    #expect(
      changes("float f(vec2 p) {\n  return p.xy.y * -1.0 - 3u;\n}\n") == [
        "constant 2:20 0 → 1", "constant 2:20 1 → 2", "constant 2:20 1 → 0", "constant 2:20 1.0 → (-1.0)", "constant 2:26 3 → 4",
        "operator 2:17 * → /", "operator 2:19 - → +", "operator 2:24 - → +", "swizzle 2:12 xy → yx", "swizzle 2:15 y → x",
      ])
  }

  @Test func functionsAndConditions() {
    #expect(
      changes("void f() {\n  if (a) b = c > d ? min(x, y) : mix(p, q[i], r);\n}\n") == [
        "operator 2:16  → =", "function 2:22 in → ax", "function 2:38 p, q[i] → q[i], p", "branch 2:7 a → !(a)",
        "branch 2:14 c > d → !(c > d)",
      ])
  }

  @Test func whatIsNoCodeAndWhatOthersSeeStays() {
    let text = """
      #version 450
      // 1.0 + 2.0
      layout(local_size_x = 16) in;
      uniform float gain; // = 2.0
      #if WIDTH > 3
      #endif
      #define DROPS 9
      #define SQUARE(x, n2) (x * x)
      float f(float a[4]) { return a[DROPS]; }

      """
    #expect(changes(text) == ["constant 7:15 9 → 10", "constant 7:15 9 → (-9)", "operator 8:26 * → /"])
  }

  @Test func headers() {
    let text = """
      /*{ "ETALON": 1,
        "INPUTS": [
          { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
          { "NAME": "count", "TYPE": "int", "DEFAULT": 3, "MIN": 1, "MAX": 3 },
          { "NAME": "mode", "TYPE": "long", "VALUES": [0, 2], "LABELS": ["a", "b"], "DEFAULT": 0 }
        ],
        "PASSES": [{ "KERNEL": "one", "TARGET": "t" }, { "KERNEL": "two" }]
      }*/
      vec4 one(vec2 p) { return IMG_PIXEL(inputImage, p); }
      vec4 two(vec2 p) { return IMG_PIXEL(t, p); }

      """
    #expect(
      changes(text) == [
        "pass 9:18  → vec4(0.0); return ", "pass 10:18  → vec4(0.0); return ", "sampling 3:44  → INTERPOLATION\": \"nearest\", \"",
        "default 4:50 3 → 2", "default 5:90 0 → 2", "sampling 3:57 mirror → clamp", "sampling 3:57 mirror → repeat",
        "sampling 3:57 mirror → transparent", "pass 7:14 one\", \"TARGET\": \"t\" }, { \"KERNEL\": \" → ",
      ])
  }

  @Test func headersThatSayNothingAboutSamplingStaySo() {
    let header = #"/*{ "ISFVSN": "2", "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/"#
    #expect(changes("\(header)\nvoid main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, uv); }\n") == [])
  }

  @Test func codeInExportsIsChangedWhereItStands() throws {
    let text = #"{ "renderpass": [{ "code": "// \"1\"\nvoid mainImage(out vec4 c, vec2 p) { c = p.xyxy / 2.0; }" }] }"#
    let source = SourceText(path: "export.json", text: text)
    let mutants = Mutant.all(of: source, isProject: true)
    #expect(mutants.map(\.kind) == [.constant, .constant, .constant, .operator, .swizzle, .swizzle, .pass])
    #expect(try #require(mutants.first { $0.kind == .operator }).text(of: source) == text.replacing("xyxy / 2", with: "xyxy * 2"))
  }

  @Test func valuesOfGraphs() {
    let text = "etalon: 1\nnodes:\n  a: { filter: gamma, values: { gamma: 2, x: (0.5 * time), c: [0.25, 1], d: red } }\n"
    #expect(
      changes(text, path: "a.yaml").map { $0.split(separator: " ")[1] } == [
        "3:40", "3:40", "3:47", "3:47", "3:47", "3:51", "3:64", "3:64", "3:70", "3:70",
      ])
  }
}
