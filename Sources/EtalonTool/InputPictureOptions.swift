import ArgumentParser

/// The pictures that commands give to filters of all kinds, one after the other, where nobody names the inputs.
struct InputPictureOptions: ParsableArguments {
  @Option(
    name: .short, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A picture for image inputs, or a WAV file for those that show sounds, in their order; the last is for all that follow. Default: test cards, and silence.",
      valueName: "picture"))
  var i: [String] = []

  @Option(help: ArgumentHelp("A folder with the pictures that ShaderToy offers, by file name or title.", valueName: "folder"))
  var assets: String?
}
