import Testing

@testable import Etalon

@Suite struct FilterNameTests {
  @Test(arguments: [
    ("plasma", "plasma"), ("Bad TV", "bad-tv"), ("WaveScrawler", "wave-scrawler"), ("CubeN3", "cube-n3"), ("HTMLText", "html-text"),
    ("3d Rotate", "3d-rotate"), ("v1.2_final--", "v1-2-final"), ("_ring_", "ring"), ("Größe", "größe"),
  ]) func makesNamesOfFileNames(text: String, name: String) {
    #expect(FilterName.kebabCase(text) == name)
    #expect(FilterName.isName(name))
  }

  @Test(arguments: ["", "..", "___"]) func needsALetter(text: String) {
    #expect(FilterName.kebabCase(text) == nil)
    #expect(!FilterName.isName(text))
  }

  @Test(arguments: [
    ("plasma.glsl", "plasma"), ("glow.frag.glsl", "glow"), ("Bad TV.fs", "Bad TV"), ("sort.comp", "sort"), ("x.y.json", "x.y"),
  ]) func knowsFilterFiles(file: String, stem: String) {
    #expect(FilterFileType.stem(of: file) == stem)
  }

  @Test(arguments: ["readme.md", "noise.inc", "wave.vs", "glsl", "photo.png"]) func knowsOtherFiles(file: String) {
    #expect(FilterFileType.stem(of: file) == nil)
  }
}
