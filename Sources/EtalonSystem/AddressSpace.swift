package import EtalonDiagnostics
internal import Glibc

/// The addresses that the process may take, where they are limited (`ulimit -v`).
///
/// Swift's runtime and drivers crash where they get no memory, at random places. So what a process needs at least is asked for before it begins.
package enum AddressSpace {
  /// What the command needs with some threads and a small picture, in bytes.
  package static let leastForCommand = 1 << 30
  /// What a Vulkan driver needs besides, which compiles on the processor.
  package static let leastForDriver = 2 << 30

  /// The bytes that the process may take in all; nil without a limit.
  private static var limit: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
    return Int(limit.rlim_cur)
  }

  /// The bytes that are left of it; nil without a limit.
  static var free: Int? { limit.map { max(0, $0 - used) } }

  /// The first number of `/proc/self/statm`, which counts pages, in bytes; nothing is allocated for it.
  private static var used: Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = unsafe read(file, buffer.baseAddress, buffer.count)
      let digits = unsafe buffer.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
      return unsafe digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * Int(getpagesize())
    }
  }

  /// Fails where the limit is below what something needs.
  ///
  /// - Parameters:
  ///   - byteCount: what it needs in all.
  ///   - user: what needs it: `a Vulkan driver`.
  package static func require(_ byteCount: Int, for user: String, help: [String] = []) throws(RenderError) {
    guard let limit, limit < byteCount else { return }
    throw RenderError(
      .outOfMemory, "the address space of this process is limited to \(limit >> 20) MiB, and \(user) needs \(byteCount >> 20) MiB",
      help: ["type 'ulimit -v unlimited' first, or ask whoever set the limit to raise it"] + help)
  }
}
