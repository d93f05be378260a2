internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph

extension TestDevice {
  /// Finds out what a case names as the device of its reference; what it cannot be is told at its place.
  init(named word: GraphText.Word) throws(RenderError) {
    do throws(RenderError) { try self.init(option: word.text) } catch {
      let names = Self.backends + DeviceList.options().map(\.name)
      // Options behind a colon, and devices that this machine has none of, are told well as they are.
      let isName = !word.text.contains(":") && !names.contains(word.text)
      let hasGuess = error.help.first?.hasPrefix("did you mean") ?? false
      let picture = "a picture is named with its ending: 'reference: \(word.text).png'"
      throw RenderError(
        error.code, error.message, operation: error.operation, underlying: error.underlying,
        help: (isName && !hasGuess ? [picture] : []) + error.help,
        labels: [word.label("not a device here")])
    }
  }
}
