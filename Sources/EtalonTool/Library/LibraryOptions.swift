import ArgumentParser
import Etalon
import EtalonDiagnostics

/// Where filters are looked up.
struct LibraryOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A folder with filters, searched before the others; may be repeated.", valueName: "folder"))
  var library: [String] = []

  /// The filters that the options and the environment lead to.
  func open() throws(RenderError) -> FilterLibrary { FilterLibrary(try LibrarySearch(named: library)) }
}
