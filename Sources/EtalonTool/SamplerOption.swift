import Etalon
import EtalonDiagnostics
import EtalonTypes

/// Reads `--sampler iChannel0=mipmap,repeat,vflip`.
enum SamplerOption {
  static func parse(_ option: OptionText) throws(DiagnosticsError) -> RenderRequest.SamplerChange {
    let (input, list) = try option.assignment(example: "iChannel0=mipmap,repeat")
    var interpolation: Sampler.Interpolation?
    var address: Sampler.AddressMode?
    var isUpright: Bool?
    var start = input.utf8.count + 1
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      defer { start += word.utf8.count + 1 }
      if let value = Sampler.Interpolation(rawValue: String(word)), interpolation == nil {
        interpolation = value
      } else if let value = Sampler.AddressMode(rawValue: String(word)), address == nil {
        address = value
      } else if word == "vflip" || word == "novflip", isUpright == nil {
        isUpright = word == "vflip"
      } else {
        throw unknown(word, at: start..<start + word.utf8.count, in: option)
      }
    }
    return .init(input: input, interpolation: interpolation, address: address, isUpright: isUpright)
  }

  private static func unknown(_ word: Substring, at place: Range<Int>, in option: OptionText) -> DiagnosticsError {
    let words = Sampler.Interpolation.allCases.map(\.rawValue) + Sampler.AddressMode.allCases.map(\.rawValue) + ["vflip", "novflip"]
    let isRepeated = words.contains(String(word))
    let help = NearestName.find(String(word), in: words).map { "did you mean '\($0)'?" } ?? "choose from \(words.joined(separator: ", "))"
    return option.error(
      "usage.sampler", isRepeated ? "'\(word)' contradicts what stands before it" : "there is no way of reading called '\(word)'",
      at: place, isRepeated ? "contradiction" : "unknown", help: isRepeated ? ["keep one of each kind"] : [help])
  }
}
