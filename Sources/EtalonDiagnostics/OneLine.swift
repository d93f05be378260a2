extension String {
  /// The text with spaces for line breaks and for other characters that move the cursor of a terminal.
  ///
  /// Strangers name files, and build servers take lines for commands that begin in a certain way.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars { out.append(scalar.isControl ? " " : scalar) }
    return String(out)
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) || (0x2028...0x2029).contains(value) }
}
