/// What a module may not exceed, so that hostile ones cannot exhaust memory or time.
enum ModuleLimits {
  /// 64 MiB of words.
  static let words = 1 << 24
  static let ids = 1 << 20
  /// Numbers that one type is made of; 4 bytes each, so 256 MiB.
  static let scalarsPerType = 1 << 26
  static let typeDepth = 255
  static let structureMembers = 16_383
  static let functionParameters = 255
}
