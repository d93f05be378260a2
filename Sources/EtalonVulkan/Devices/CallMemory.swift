/// Memory that the arguments of C calls point into, released when the body of `withCallMemory` ends.
///
/// Vulkan's structures point to arrays and to each other; with one owner for all of them, no call needs a pyramid of closures.
@safe
final class CallMemory {
  private var releases: [() -> Void] = []

  fileprivate init() {}

  fileprivate func releaseAll() {
    for release in releases.reversed() { release() }
    releases = []
  }

  /// A copy of some values in a row; null for none.
  func pointer<Element>(to values: [Element]) -> UnsafeMutablePointer<Element>? {
    guard !values.isEmpty else { return nil }
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
    unsafe pointer.initialize(from: values, count: values.count)
    releases.append {
      unsafe pointer.deinitialize(count: values.count)
      unsafe pointer.deallocate()
    }
    return unsafe pointer
  }

  /// A copy of one value.
  func pointer<Value>(to value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
    releases.append {
      unsafe pointer.deinitialize(count: 1)
      unsafe pointer.deallocate()
    }
    return unsafe pointer
  }

  /// A copy of a text that ends in a zero byte.
  func text(_ text: String) -> UnsafePointer<CChar>? {
    unsafe UnsafePointer(pointer(to: text.utf8CString.map { $0 }))
  }
}

/// Runs a body with memory for the arguments of the C calls in it.
func withCallMemory<Result, Failure: Error>(_ body: (CallMemory) throws(Failure) -> Result) throws(Failure) -> Result {
  let memory = CallMemory()
  defer { memory.releaseAll() }
  return try body(memory)
}
