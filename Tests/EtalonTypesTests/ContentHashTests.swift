import EtalonTypes
import Testing

@Suite struct ContentHashTests {
  /// The example of FIPS 180-4, appendix B.
  @Test func hashesTheStandardsExample() {
    #expect(ContentHash(of: Array("abc".utf8)).description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func fieldsDoNotRunIntoEachOther() {
    var first = ContentHasher()
    first.add("a", "bc")
    var second = ContentHasher()
    second.add("ab", "c")
    #expect(first.finish() != second.finish())
  }
}
