package import EtalonDiagnostics
package import EtalonSPIRV

/// The program that the CPU executor makes of a kernel, as text for tests and for people.
package enum ProgramListing {
  /// What runs once for a frame, then what runs for each workgroup.
  package static func text(of kernel: Kernel) throws(RenderError) -> String {
    try KernelCompiler.linearCode(of: kernel).description
  }
}
