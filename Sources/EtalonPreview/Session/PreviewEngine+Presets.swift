internal import EtalonDiagnostics

/// Values that are kept as graph documents, and cases of tests.
extension PreviewEngine {
  func savePreset(_ request: PageRequest, of page: Int) throws {}
  func addCase(_ request: PageRequest, of page: Int) throws {}
}
