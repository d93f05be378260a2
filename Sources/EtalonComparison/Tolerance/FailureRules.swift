extension Tolerance {
  /// What keeps color or alpha from ever failing: limits that only warn.
  var problemsOfFailing: [ToleranceProblem] {
    let perceptual = [ssim, ssimGaussian, flip?.mean, flip?.percentile?.value, oklab?.pixels, noise].compactMap(\.self)
    var found: [ToleranceProblem] = []
    if !effectiveColor.canFail, !perceptual.contains(where: { $0.fail != nil }) {
      found.append(Self.onlyWarns(color.warningKey("") ?? perceptualWarningKey ?? "channel", "color"))
    }
    guard found.isEmpty || alpha?.isEmpty == false, !effectiveAlpha.canFail else { return found }
    let isOwn = alpha?.isEmpty == false
    found.append(Self.onlyWarns((isOwn ? alpha?.warningKey("alpha.") : color.warningKey("")) ?? "alpha", "alpha"))
    return found
  }

  private var perceptualWarningKey: String? {
    [
      ("ssim", ssim), ("ssimGaussian", ssimGaussian), ("flip.mean", flip?.mean), ("flip.percentile.value", flip?.percentile?.value),
      ("oklab.pixels", oklab?.pixels),
      ("noise", noise),
    ]
    .first { $0.1?.warn != nil }?.0
  }

  private static func onlyWarns(_ key: String, _ group: String) -> ToleranceProblem {
    ToleranceProblem(
      key: key, message: "'\(key)' only warns, and nothing else lets \(group) fail",
      help: group == "alpha" && !key.hasPrefix("alpha")
        ? "add '\(key).fail', or 'alpha.channel: 0'" : "add '\(key).fail', the level to fail at",
      part: .key)
  }
}

extension ChannelTolerance {
  /// Whether any limit has a level to fail at.
  fileprivate var canFail: Bool {
    let limits = [outliers == nil ? channel : nil, ceiling, relative, ulp, mean, rmse, psnr, window?.outliers, emd]
    return outliers?.fail != nil || limits.contains { $0?.fail != nil }
  }

  /// The first limit that warns.
  fileprivate func warningKey(_ prefix: String) -> String? {
    let limits: [(String, Limit?)] = [
      ("channel", channel), ("ceiling", ceiling), ("relative", relative), ("ulp", ulp), ("mean", mean), ("rmse", rmse), ("psnr", psnr),
      ("window.outliers", window?.outliers), ("emd", emd),
    ]
    return limits.first { $0.1?.warn != nil }.map { prefix + $0.0 }
  }
}
