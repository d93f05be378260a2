internal import EtalonManifest
package import EtalonTypes

/// Values at times, with what happens in between.
///
/// Before the first key and after the last one the value stays.
package enum Keyframes: Sendable, Hashable, CustomStringConvertible {
  /// Keys for all components of a value together.
  case together([Keyframe])
  /// Keys for each component, in the order of the components.
  case byComponent([[Keyframe]])

  package var description: String {
    switch self {
    case .together(let keys): return Self.text(keys)
    case .byComponent(let curves):
      let members = zip(ComponentNames.position, curves).map { "\($0): \(Self.text($1))" }
      return "{\(members.joined(separator: ", "))}"
    }
  }

  private static func text(_ keys: [Keyframe]) -> String { "{\(keys.map(\.description).joined(separator: ", "))}" }

  /// All keys, those of the first component first.
  package var allKeys: [Keyframe] {
    switch self {
    case .together(let keys): keys
    case .byComponent(let curves): curves.flatMap(\.self)
    }
  }
}

/// A value at a time, and how it is reached from the key before.
package struct Keyframe: Sendable, Hashable, CustomStringConvertible {
  package let time: KeyTime
  package let value: Value
  package let easing: Easing
  package let origin: ValueOrigin

  /// - Parameter easing: nil is what suits the type: numbers move evenly, everything else holds.
  package init(_ time: KeyTime, _ value: Value, easing: Easing? = nil, origin: ValueOrigin = ValueOrigin(nil)) {
    self.time = time
    self.value = value
    self.easing = easing ?? Self.usualEasing(value.type)
    self.origin = origin
  }

  /// Whole numbers, choices and truth values have nothing in between.
  static func usualEasing(_ type: ValueType) -> Easing { type.isFloat ? .linear : .hold }

  package var description: String {
    let components = value.components.map { ValueConversion.plainText(Value(.float, [$0])) }
    let text = components.count > 1 ? "[\(components.joined(separator: ", "))]" : ValueConversion.plainText(value)
    return easing == Self.usualEasing(value.type) ? "\(time): \(text)" : "\(time): {value: \(text), ease: \(easing)}"
  }
}

/// What the components of vectors are called.
enum ComponentNames {
  static let position = ["x", "y", "z", "w"]
  static let color = ["r", "g", "b", "a"]

  /// The names of a type's components in the spelling that one of them has; nil for a name that is no component.
  static func all(of type: ValueType, like name: String) -> [String]? {
    guard !type.isMatrix, (2...4).contains(type.componentCount) else { return nil }
    return [position, color].map { Array($0.prefix(type.componentCount)) }.first { $0.contains(name) }
  }
}
