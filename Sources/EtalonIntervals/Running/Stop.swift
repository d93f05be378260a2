/// Why nothing can be said about a pixel.
package enum Stop: Error, Sendable, Hashable {
  /// An instruction, or a use of it, that ranges are not known for.
  case unknown(String, site: Int32)
  /// It takes longer than somebody wants to wait: often a loop whose end is not certain.
  case tooLong(site: Int32)
  /// Pictures follow from pictures, too many in a row.
  case tooDeep

  package var site: Int32 {
    switch self {
    case .unknown(_, let site), .tooLong(let site): site
    case .tooDeep: -1
    }
  }

  /// What there is to say about it.
  package var words: String {
    switch self {
    case .unknown(let what, _): "\(what) has no known range"
    case .tooLong: "a loop may go on for longer than it is followed"
    case .tooDeep: "too many frames before hang together"
    }
  }
}
