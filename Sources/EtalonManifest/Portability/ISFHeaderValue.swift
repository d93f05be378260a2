internal import EtalonDiagnostics

extension PortabilitySubject {
  /// The header of an ISF file; nil for other files.
  var isfHeader: LocatedJSON? {
    guard manifest.dialect == .isf, let comment = Lexer.tokens(of: file).first(where: { $0.kind == .comment }), let place = comment.origin,
      let start = file.bytes[place.range].firstIndex(of: UInt8(ascii: "{")),
      let end = file.bytes[place.range].lastIndex(of: UInt8(ascii: "}"))
    else { return nil }
    return JSONReader(tolerating: Set(JSONSlip.allCases)).read(file, within: start..<end + 1).value
  }
}
