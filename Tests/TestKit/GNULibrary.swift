import Glibc

/// Functions of the GNU C library that Swift's module hides (it is built without `_GNU_SOURCE`), looked up
/// by name at their first use.
enum GNULibrary {
  /// `man 2 pipe2`.
  static func pipe2(_ ends: inout [Int32], _ flags: Int32) -> Int32 {
    typealias Function = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "pipe2") else { return missing() }
    return unsafe unsafeBitCast(symbol, to: Function.self)(&ends, flags)
  }

  /// `man 2 pidfd_open`.
  static func pidfdOpen(_ pid: Int32) -> Int32 {
    typealias Function = @convention(c) (Int32, UInt32) -> Int32
    guard let symbol = unsafe dlsym(nil, "pidfd_open") else { return missing() }
    return unsafe unsafeBitCast(symbol, to: Function.self)(pid, 0)
  }

  /// `man 3 posix_spawn_file_actions_addchdir_np`: the child changes its folder before exec.
  static func addDirectory(
    _ directory: String, to actions: inout posix_spawn_file_actions_t
  ) -> Int32 {
    typealias Function =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>)
      -> Int32
    guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addchdir_np") else {
      return missing()
    }
    return unsafe unsafeBitCast(symbol, to: Function.self)(&actions, directory)
  }

  private static func missing() -> Int32 {
    errno = ENOSYS
    return -1
  }
}

extension OwnedDescriptor {
  /// A pidfd, readable once the process has ended; nil when there is no such process.
  static func process(_ pid: Int32) -> OwnedDescriptor? {
    let number = GNULibrary.pidfdOpen(pid)
    return number < 0 ? nil : OwnedDescriptor(number)
  }
}
