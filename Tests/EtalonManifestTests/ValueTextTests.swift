import EtalonGLSL
import EtalonTypes
import Testing

@testable import EtalonManifest

@Suite struct ValueTextTests {
  @Test func readsWhatAPersonTypes() {
    #expect(ValueText.value("3", as: .float) == Value(.float, [3]))
    #expect(ValueText.value("-.5", as: .float) == Value(.float, [-0.5]))
    #expect(ValueText.value("-0.5", as: .float) == Value(.float, [-0.5]))
    #expect(ValueText.value(".5", as: .float) == Value(.float, [0.5]))
    #expect(ValueText.value("1e3", as: .int) == Value(.int, [1000]))
    #expect(ValueText.value("2.5", as: .int) == nil)
    #expect(ValueText.value("-1", as: .uint) == nil)
    #expect(ValueText.value("off", as: .bool) == Value(.bool, [0]))
    #expect(ValueText.value("1, 0, 0.5", as: .vec3) == Value(.vec3, [1, 0, 0.5]))
    #expect(ValueText.value("vec3(1,0,0)", as: .vec3) == Value(.vec3, [1, 0, 0]))
    #expect(ValueText.value("2", as: .vec2) == Value(.vec2, [2, 2]))
    #expect(ValueText.value("1,2", as: .vec3) == nil)
    #expect(ValueText.value("#ff0080", as: .vec4) == Value(.vec4, [1, 0, 128.0 / 255, 1]))
    #expect(ValueText.value("#ff008000", as: .vec3) == nil)
    #expect(ValueText.value("inf", as: .float) == nil)
    #expect(ValueText.value("1e39", as: .float) == nil)
  }

  @Test func colorsOfThreeNumbersAreOpaque() {
    #expect(ValueText.value("0.2,0.4,1", for: .color) == Value(.vec4, [0.2, 0.4, 1, 1]))
    #expect(ValueText.value("vec3(0.2, 0.4, 1)", for: .color) == Value(.vec4, [0.2, 0.4, 1, 1]))
    #expect(ValueText.value("0.2,0.4,1,0.5", for: .color) == Value(.vec4, [0.2, 0.4, 1, 0.5]))
    #expect(ValueText.value("0.5", for: .color) == Value(.vec4, [0.5, 0.5, 0.5, 0.5]))
    #expect(ValueText.value("1,0", for: .color) == nil)
    #expect(ValueText.value("0.2,0.4,1", for: .vec4) == nil)
  }

  @Test func oneNumberFillsTheDiagonalOfAMatrix() {
    #expect(ValueConversion.constructed(.mat2, from: [2]) == Value(.mat2, [2, 0, 0, 2]))
    #expect(ValueText.value("mat3(1.0)", as: .mat3) == Value(.mat3, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
    #expect(ValueText.value("1", as: .mat3) == nil)
  }

  @Test func writesGLSL() {
    #expect(ValueConversion.text(of: Value(.float, [3])) == "3.0")
    #expect(ValueConversion.text(of: Value(.float, [-2])) == "(-2.0)")
    #expect(ValueConversion.text(of: Value(.float, [1e-7])) == "1e-07")
    #expect(ValueConversion.text(of: Value(.int, [-2])) == "(-2)")
    #expect(ValueConversion.text(of: Value(.uint, [4_000_000_000])) == "4000000000u")
    #expect(ValueConversion.text(of: Value(.vec2, [-1, 0.25])) == "vec2(-1.0, 0.25)")
    #expect(ValueConversion.text(of: Value(.bool, [1])) == "true")
  }

  @Test(arguments: [
    ("2.", Value(.float, [2])), (".5f", Value(.float, [0.5])), ("0x10", Value(.int, [16])), ("7u", Value(.uint, [7])),
    ("-(3)", Value(.int, [-3])), ("vec3(1)", Value(.vec3, [1, 1, 1])), ("vec4(vec2(1, 2), 3., -4)", Value(.vec4, [1, 2, 3, -4])),
    ("ivec2(1.9, -1.9)", Value(.ivec2, [1, -1])), ("1.e2", Value(.float, [100])),
  ])
  func readsLiterals(_ text: String, _ value: Value) {
    let tokens = Lexer.tokens(ofAddedText: text)
    #expect(LiteralReader.value(of: tokens.indices.filter { tokens[$0].isSignificant }, in: tokens) == value)
  }

  @Test(arguments: ["", "a", "1 + 2", "vec2(1, 2, 3)", "sin(1.0)", "(1", "-true", "vec3()", String(repeating: "-", count: 100_000) + "1"])
  func leavesExpressionsAlone(_ text: String) {
    let tokens = Lexer.tokens(ofAddedText: text)
    #expect(LiteralReader.value(of: tokens.indices.filter { tokens[$0].isSignificant }, in: tokens) == nil)
  }
}
