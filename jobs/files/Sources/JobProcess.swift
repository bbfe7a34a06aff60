internal import Glibc

/// The process of a job that works on files: what it was given, and the limits it works under.
package enum JobProcess {
  /// The arguments as the kernel gave them, without the program's name: they need not be UTF-8.
  package static var arguments: [BytePath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe BytePath($0) }
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
