/// What a survey knows about one filter.
///
/// A record grows while its filter is rendered: when that ends early, what is known until then is not lost.
package struct SurveyRecord: Sendable, Hashable, Codable {
  /// One frame on one device beside the same frame on the first device.
  package struct Frame: Sendable, Hashable, Codable {
    package let device: String
    package let frame: Int
    /// How many of 100 pixels agree with those of the first device; nil for the first device itself.
    package var agreement: Double?
    /// The largest difference of a channel, in levels of 8 bits.
    package var largest: Int?
    package var isFlat: Bool
    /// How many pixels have values that are no numbers, or infinite, before they become levels; nil for none.
    package var notFinite: Int?
    /// The picture as a PNG in base64.
    package var picture: String?
    /// Eight times the difference from the first device, with pixels beyond the limit in red.
    package var difference: String?
  }

  /// As people would name it: a path, with `:` and a line when it is one of many in a file.
  package var name: String
  /// Nil until the file was read.
  package var dialect: String?
  package var kind: String?
  /// Nil until everything was done.
  package var verdict: SurveyVerdict?
  /// Why, in one line; empty where the verdict says it all.
  package var reason = ""
  /// Everything that Etalon said about what is wrong, for people.
  package var diagnostics = ""
  package var frames: [Frame] = []
  /// What is being done; empty when everything was done.
  package var step = ""
  package var seconds = 0.0
  /// What to type to see the pictures.
  package var command = ""

  package init(name: String) { self.name = name }

  /// The share of pixels that agree where they agree least; nil when nothing was compared.
  package var agreement: Double? { frames.compactMap(\.agreement).min() }
  /// The largest difference of any frame.
  package var largest: Int? { frames.compactMap(\.largest).max() }

  /// The same without pictures, for those who read text.
  package var withoutPictures: SurveyRecord {
    var copy = self
    for index in copy.frames.indices {
      copy.frames[index].picture = nil
      copy.frames[index].difference = nil
    }
    return copy
  }
}
