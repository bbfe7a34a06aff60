internal import Glibc
internal import JobWire

/// The process of a job that works on files: what it was given, and the limits it works under.
package enum JobProcess {
  /// The arguments as the kernel gave them, without the program's name: they need not be UTF-8.
  package static var arguments: [BytePath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe BytePath($0) }
    }
  }

  /// Wipes names and passwords in addresses from what others see of this process (proc_pid_cmdline(5)).
  package static func hideLogins() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      for login in AddressLogin.ranges(in: unsafe BytePath(argument).bytes[...]) {
        for place in login { unsafe argument[place] = CChar(UInt8(ascii: "*")) }
      }
    }
  }

  /// Lifts and tames the limits that would get in the way.
  ///
  /// Folders are held open on the way down, as many as the system allows. And a limit on file sizes
  /// is an error of `write` like any other, not the end of the process.
  package static func prepare() {
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}
