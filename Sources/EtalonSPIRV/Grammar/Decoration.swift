// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What is said about a result or a member besides its type, spelled as in the SPIR-V specification.
///
/// Only the decorations that change what a compute shader computes or how it is bound have a name here; others are kept as numbers.
package struct Decoration: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let RelaxedPrecision = Decoration(rawValue: 0)
  package static let SpecId = Decoration(rawValue: 1)
  package static let Block = Decoration(rawValue: 2)
  package static let BufferBlock = Decoration(rawValue: 3)
  package static let RowMajor = Decoration(rawValue: 4)
  package static let ColMajor = Decoration(rawValue: 5)
  package static let ArrayStride = Decoration(rawValue: 6)
  package static let MatrixStride = Decoration(rawValue: 7)
  package static let BuiltIn = Decoration(rawValue: 11)
  package static let NonWritable = Decoration(rawValue: 24)
  package static let NonReadable = Decoration(rawValue: 25)
  package static let Binding = Decoration(rawValue: 33)
  package static let DescriptorSet = Decoration(rawValue: 34)
  package static let Offset = Decoration(rawValue: 35)
  package static let NoContraction = Decoration(rawValue: 42)
}
