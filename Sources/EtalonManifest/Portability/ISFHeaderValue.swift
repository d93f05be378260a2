extension PortabilitySubject {
  /// The header of an ISF file; nil for other files.
  var isfHeader: LocatedJSON? {
    guard manifest.dialect == .isf, let file, let header = HeaderComment(in: file, mustComeFirst: false) else { return nil }
    return JSONReader(tolerating: Set(JSONSlip.allCases)).read(file, within: header.json).value
  }
}
