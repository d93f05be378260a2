/// Which Vulkan device to use.
public enum DeviceChoice: Sendable, Hashable {
  /// The first usable one: a graphics card before an integrated one before a software driver.
  case preferred
  /// The device with this number in the list.
  case index(Int)
  /// The first usable device whose name, or whose driver's name, contains the text, whatever the case.
  case name(String)

  /// Reads what `--device` was given: a number, or a part of a name.
  public init(_ text: String) {
    self = Int(text).map { .index($0) } ?? .name(text)
  }
}
