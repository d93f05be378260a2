extension Decoration {
  /// Whether its operands are ids.
  var takesIds: Bool { [27, 46, 47, 5634].contains(rawValue) }
}

extension SPIRVModule.ExecutionMode {
  /// Whether its operands are ids.
  var takesIds: Bool { (37...39).contains(number) }
}
