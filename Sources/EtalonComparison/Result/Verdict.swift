/// What a comparison says about two pictures.
public enum ComparisonVerdict: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// Every limit holds.
  case pass
  /// Every limit to fail at holds, one to warn at does not.
  case warn
  /// A limit does not hold.
  case fail
  /// The pictures have different sizes, so nothing was measured.
  case sizeMismatch

  /// Whether the pictures count as different.
  public var isFailure: Bool { self >= .fail }

  /// Later cases are worse.
  public static func < (left: Self, right: Self) -> Bool { rank(left) < rank(right) }

  private static func rank(_ verdict: Self) -> Int { allCases.firstIndex(of: verdict) ?? 0 }
}

/// What differences of channels are counted in.
public enum DifferenceUnit: String, Hashable, Sendable, Codable {
  /// 1/255: both pictures have integer channels.
  case levels
  /// The numbers as they are: one picture has float channels.
  case absolute
}

/// What a comparison measures beside the differences of channels, which it always does.
public enum ComparisonMetric: String, Hashable, Sendable, Codable, CaseIterable {
  case relative, ulp, emd, ssim, ssimGaussian, oklab, shift, flip, noise
}
