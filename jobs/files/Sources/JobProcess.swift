internal import Glibc
internal import JobWire

/// The process of a job that works on files: its arguments, and its limits.
package enum JobProcess {
  /// The arguments from the kernel, without the program's name: they need not be UTF-8.
  package static var arguments: [BytePath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe BytePath($0) }
    }
  }

  /// Overwrites names and passwords of addresses in this process's visible arguments (proc_pid_cmdline(5)).
  package static func hideLogins() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      for login in AddressLogin.ranges(in: unsafe BytePath(argument).bytes[...]) {
        for place in login { unsafe argument[place] = CChar(UInt8(ascii: "*")) }
      }
    }
  }

  /// Adjusts limits that would interfere.
  ///
  /// Open folders on the way down need many descriptors, so that limit is raised. And a limit on file sizes
  /// becomes an ordinary error of `write`, not the end of the process.
  package static func prepare() {
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}
