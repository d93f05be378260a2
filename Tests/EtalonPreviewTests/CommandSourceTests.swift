import ArgumentParser
import Testing

@testable import EtalonPreview
@testable import EtalonTool

/// What pages change becomes options of the command.
@Suite struct CommandSourceTests {
  private func source(_ arguments: [String]) throws -> CommandSource { CommandSource(try RenderCommand.parse(arguments)) }

  @Test func valuesReplaceThoseThatWereTyped() throws {
    var changes = PreviewChanges()
    changes.values = ["amount": "0.9", "center": "0.4, 0.5"]
    var wish = RenderWish()
    wish.output = "out.png"
    let words = try source(["vignette", "--set", "amount=0.1", "--set", "radius=0.8", "--size", "64x64"]).words(changes, wish)
    #expect(
      words == [
        "etalon", "render", "vignette", "--size", "64x64", "--set", "radius=0.8", "--set", "amount=0.9", "--set", "center=0.4, 0.5", "-o",
        "out.png",
      ])
  }

  @Test func inputsReplaceThoseThatWereGivenInTheirOrder() throws {
    var changes = PreviewChanges()
    changes.inputs = ["inputImage": .some("/tmp/a.png")]
    let words = try source(["vignette", "-i", "photo.png"]).words(changes, RenderWish())
    #expect(words == ["etalon", "render", "vignette", "--input", "inputImage=/tmp/a.png"])
    changes.inputs = ["inputImage": .none]
    #expect(try source(["vignette", "-i", "photo.png"]).words(changes, RenderWish()) == ["etalon", "render", "vignette"])
  }

  @Test func whatIsWantedTakesThePlaceOfWhatWasTyped() throws {
    var wish = RenderWish()
    (wish.output, wish.frames, wish.duration, wish.size) = ("x.####.png", "0-9", "2s", "32x32")
    let words = try source(["vignette", "--time", "3", "--size", "64x64"]).words(PreviewChanges(), wish)
    #expect(words == ["etalon", "render", "vignette", "--size", "32x32", "--duration", "2s", "--frames", "0-9", "-o", "x.####.png"])
  }

  @Test func wordsThatBeginWithAHyphenStayValues() throws {
    let words = try source(["vignette", "--start=-2"]).words(PreviewChanges(), RenderWish())
    #expect(words.contains("--start=-2"))
  }
}
