import Etalon
import Foundation
import Testing

/// Images as recipes, and the errors that are told where they are made.
@Suite struct ImageTests {
  private func message(_ body: () throws -> Image) -> String {
    do {
      _ = try body()
      return "no error"
    } catch let error as DiagnosticsError {
      return DiagnosticPrinter().text(error.diagnostics)
    } catch {
      return "\(error)"
    }
  }

  @Test func equalRecipesAreEqual() throws {
    let scene = try TestScene()
    let again = try Image(contentsOf: scene.folder.picture("copy.png", PluginPicture.size, PluginPicture.color))
    let blur = try scene.library["gaussian-blur"]
    #expect(scene.photo == again)
    #expect(try scene.photo.applying(blur, ["sigma": 8]) == again.applying(FilterLibrary(directory: TestScene.plugins)["gaussian-blur"]))
    #expect(try scene.photo.applying(blur, ["sigma": 8]) == again.applying(blur, ["sigma": 8.0]))
    #expect(try scene.photo.applying(blur, ["sigma": 8]) != scene.photo.applying(blur, ["sigma": 9]))
    #expect(try scene.photo.applying(blur, ["edges": "extend"]) == scene.photo.applying(blur, ["edges": 0]))
    let images = try Set([8, 8, 9].map { try scene.photo.applying(blur, ["sigma": .init($0)]) })
    #expect(images.count == 2)
    #expect(try scene.photo.applying(blur, ["sigma": .expression("time")]) == again.applying(blur, ["sigma": "(time)"]))
  }

  @Test func filtersSayWhatTheyTake() throws {
    let blur = try FilterLibrary.builtIn["gaussian-blur"]
    #expect(blur.name == "gaussian-blur" && blur.kind == .filter)
    #expect(blur.inputs.map(\.name) == ["inputImage"] && blur.inputs[0].isRequired)
    #expect(blur.parameters.map(\.name) == ["sigma", "edges"])
    #expect(blur.parameters[0].maximum == Value(.float, [1000]) && blur.parameters[0].unit == "px")
    #expect(blur.parameters[1].choices.map(\.label) == ["extend", "transparent"])
    #expect(FilterLibrary.builtIn.names.contains("vignette"))
    let kinds = try ["noise", "source-over", "dissolve"].map { try FilterLibrary.builtIn[$0].kind }
    #expect(kinds == [.generator, .composite, .transition])
  }

  @Test func unknownFiltersHaveNeighbors() throws {
    let scene = try TestScene()
    let text = message { try scene.photo.applying(scene.library["gausian-blur"]) }
    #expect(text.contains("no library has a filter 'gausian-blur'") && text.contains("did you mean 'gaussian-blur'?"), "\(text)")
    #expect(throws: RenderError.self) { try FilterLibrary(directory: "/nowhere") }
    #expect(throws: RenderError.self) { try Image(contentsOf: "/nowhere.png") }
  }

  @Test func valuesAreRefusedWhereTheyAreApplied() throws {
    let scene = try TestScene()
    let blur = try scene.library["gaussian-blur"]
    let text = message { try scene.photo.applying(blur, ["simga": 8, "sigma": -1, "edges": "extent"]) }
    let line = #line - 1
    #expect(
      text.contains(
        """
        <values of gaussian-blur at EtalonTests/ImageTests.swift:\(line)>:1:1: error: 'gaussian-blur' has no parameter or constant 'simga' [value.unknown-name]
         1 | simga=8
           | ^^^^^ not found
           = help: did you mean 'sigma'?
        """), "\(text)")
    #expect(text.contains("'-1' is out of range for 'sigma'") && text.contains("from 0 to 1000"), "\(text)")
    #expect(text.contains("did you mean 'extend'?"), "\(text)")
    #expect(message { try scene.photo.applying(blur, ["sigma": [1, 2]]) }.contains("not a float"))
    #expect(message { try scene.photo.applying(blur, ["sigma": .init(Double.nan)]) }.contains("is no value for 'sigma'"))
    #expect(message { try scene.photo.applying(blur, ["sigma": .expression("2 * tim")]) }.contains("did you mean 'time'?"))
    #expect(
      message { try scene.photo.applying(blur, ["sigma": .keyframes([.key(.frame(0), 1), .key(.frame(0), 2)])]) }.contains("error"))
    #expect(message { try Image(scene.shader("constrained"), ["low": 0.9, "high": 0.1]) }.contains("contradict"))
  }

  @Test func inputsAreRefusedWhereTheyAreApplied() throws {
    let scene = try TestScene()
    let mask = try scene.library["blend-with-mask"]
    let text = message { try scene.photo.applying(mask, inputs: ["backgroundImag": scene.photo]) }
    #expect(
      text.contains("has no image input 'backgroundImag' [input.unknown]") && text.contains("did you mean 'backgroundImage'?"), "\(text)")
    #expect(text.contains("reads 'backgroundImage', and no image was given for it [input.missing]"), "\(text)")
    #expect(text.contains("reads 'maskImage', and no image was given for it"), "\(text)")
    #expect(message { try scene.photo.applying(scene.library["noise"]) }.contains("reads no picture that it could be applied to"))
    #expect(
      message { try scene.photo.applying(scene.library["vignette"], inputs: ["inputImage": scene.photo]) }.contains("has two images"))
    #expect(message { try Image(scene.library["vignette"]) }.contains("[input.missing]"))
  }
}
