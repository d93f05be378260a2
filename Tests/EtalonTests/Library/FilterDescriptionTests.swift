import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import Foundation
import Testing

@testable import Etalon

@Suite struct FilterDescriptionTests {
  private func json(_ text: String) throws -> String {
    let source = SourceText(path: "mix.glsl", text: text)
    let manifest = try NativeReader(files: NoFiles()).read(source, named: "mix", options: FilterReader.Options()).manifest
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(FilterDescription(manifest, path: "mix.glsl")), as: UTF8.self)
  }

  @Test func everythingThatAHeaderSaysIsThere() throws {
    let text = """
      /*{
        "ETALON": 1, "DESCRIPTION": "Mixes.", "CREDIT": "somebody", "LICENSE": "CC0", "CATEGORIES": ["blend"],
        "INPUTS": [
          { "NAME": "inputImage", "TYPE": "image", "LABEL": "Front", "INTERPOLATION": "nearest" },
          { "NAME": "low", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.25, "STEP": 0.25, "UNIT": "px", "HELP": "less", "GROUP": "Range" },
          { "NAME": "high", "TYPE": "float", "MIN": 0, "MAX": 2, "DEFAULT": 0.5, "IDENTITY": 0 },
          { "NAME": "mode", "TYPE": "long", "VALUES": [0, 2], "LABELS": ["over", "add"], "DEFAULT": 2 },
          { "NAME": "on", "TYPE": "bool", "DEFAULT": true },
          { "NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0.5, 0, 1] }
        ],
        "CONSTRAINTS": ["low < high"]
      }*/
      vec4 colorKernel(vec4 color) { return on ? color * tint * low * high * float(mode) : color; }
      """
    let description = try json(text)
    #expect(
      description
        == #"{"alpha":"premultiplied","buffers":[],"categories":["blend"],"constants":[],"constraints":["low < high"],"credit":"somebody","#
        + #""description":"Mixes.","dialect":"native","inputs":[{"address":"clamp","interpolation":"nearest","isFlipped":false,"label":"Front","#
        + #""name":"inputImage","origin":"user","shape":"flat"}],"kind":"filter","license":"CC0","name":"mix","outputs":["outputImage"],"parameters":["#
        + #"{"default":0.25,"followsClock":false,"group":"Range","help":"less","kind":"float","maximum":1,"minimum":0,"name":"low","step":0.25,"#
        + #""type":"float","unit":"px"},{"default":0.5,"followsClock":false,"identity":0,"kind":"float","maximum":2,"minimum":0,"name":"high","type":"float"},"#
        + #"{"choices":[{"label":"over","value":0},{"label":"add","value":2}],"default":2,"followsClock":false,"kind":"choice","name":"mode","#
        + #""type":"int"},{"default":true,"followsClock":false,"kind":"bool","name":"on","type":"bool"},{"default":[1,0.5,0,1],"#
        + #""followsClock":false,"kind":"color","name":"tint","type":"vec4"}],"passes":[{"buffers":[],"iterations":1,"name":"image","#
        + #""reads":["inputImage"],"writes":[],"writesResult":true}],"path":"mix.glsl","targets":[],"version":1}"#)
  }

  @Test func aSoundThatTheTextBringsIsAFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("heard.glsl")
    try "#iChannel2 \"file://tone.wav\"\nvoid mainImage(out vec4 c, in vec2 p) { c = texture(iChannel2, p / iResolution.xy); }\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    let input = try #require(try FilterFile.read(path).description.inputs.first)
    #expect(input.origin == "file" && input.source == "tone.wav")
  }
}
