/// How much of something is bearable: beyond `warn` a person should look, beyond `fail` the comparison fails.
///
/// In JSON a limit is its `fail` level alone, `1`, or both, `{"warn": 1, "fail": 3}`.
///
/// **Concurrency**: an immutable value.
public struct Limit: Hashable, Sendable {
  /// Beyond this the comparison warns; nil when it never does.
  public var warn: Double?
  /// Beyond this the comparison fails; nil when it never does.
  public var fail: Double?

  /// Makes a limit.
  public init(warn: Double? = nil, fail: Double? = nil) {
    self.warn = warn
    self.fail = fail
  }
}

extension Limit: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A limit that only fails.
  public init(floatLiteral value: Double) { self.init(fail: value) }

  /// A limit that only fails.
  public init(integerLiteral value: Int) { self.init(fail: Double(value)) }
}

extension Limit: Codable {
  private enum CodingKeys: String, CodingKey { case warn, fail }

  /// Reads a number or both levels.
  public init(from decoder: any Decoder) throws {
    if let number = try? decoder.singleValueContainer().decode(Double.self) {
      self.init(fail: number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      warn: try container.decodeIfPresent(Double.self, forKey: .warn), fail: try container.decodeIfPresent(Double.self, forKey: .fail))
  }

  /// Writes a number when there is no level to warn at, else both.
  public func encode(to encoder: any Encoder) throws {
    if warn == nil, let fail {
      var container = encoder.singleValueContainer()
      return try container.encode(fail)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(warn, forKey: .warn)
    try container.encodeIfPresent(fail, forKey: .fail)
  }
}
