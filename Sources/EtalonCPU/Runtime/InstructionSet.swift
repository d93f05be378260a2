internal import CLaneKernels

/// The vector instructions that the kernels are compiled for.
package enum InstructionSet: String, Sendable, Hashable, CaseIterable {
  /// What every machine has: vectors of four.
  case baseline
  case avx2
  case avx512

  var lane: lane_isa {
    switch self {
    case .baseline: LANE_ISA_BASE
    case .avx2: LANE_ISA_AVX2
    case .avx512: LANE_ISA_AVX512
    }
  }

  /// Whether this machine can run it.
  package var isSupported: Bool { lane_isa_is_supported(CInt(bitPattern: lane.rawValue)) != 0 }

  /// The widest that this machine can run.
  package static var best: InstructionSet { allCases.last { $0.isSupported } ?? .baseline }
}
