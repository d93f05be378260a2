/// A time of a shot: seconds on its clock, or the number of a frame.
///
/// ```swift
/// try await context.render(image, at: .seconds(1.5))
/// try await context.render(image, at: .frame(36))
/// ```
///
/// **Concurrency**: an immutable value.
public enum ShotTime: Sendable, Hashable {
  /// Seconds on the shot's clock.
  case seconds(Rational)
  /// The number of a frame, counted as the shot counts them.
  case frame(Int)

  /// As values spell it: `3/2s`, `36f`.
  var text: String {
    switch self {
    case .seconds(let seconds): "\(seconds)s"
    case .frame(let number): "\(number)f"
    }
  }
}
