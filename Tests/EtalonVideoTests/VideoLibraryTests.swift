import EtalonDiagnostics
import EtalonVideo
import Testing

@Suite struct VideoLibraryTests {
  @Test func opensTheLibrariesOfTheSystem() throws {
    let library = try VideoLibrary.system()
    #expect(library.versions.hasPrefix("libavformat \(library.major)."))
    #expect(library.license.contains("GPL"))
  }

  @Test func missingLibrariesAreToldWithTheirPackages() throws {
    let error = try #require(throws: RenderError.self) { try VideoLibrary(folder: "/nowhere", shims: "/nowhere") }
    #expect(error.code == .missingInput)
    #expect(error.operation == "dlopen")
    #expect(error.underlying?.contains("/nowhere/libavformat.so.") == true)
    let major = try VideoLibrary.system().major
    #expect(error.help[0].contains("libavformat\(major)"))
  }
}
