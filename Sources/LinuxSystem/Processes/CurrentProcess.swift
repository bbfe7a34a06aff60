internal import CLinux
internal import Glibc

/// This process itself.
package enum CurrentProcess {
  package static var identifier: Int32 { getpid() }
  package static var userIdentifier: UInt32 { geteuid() }
  package static var groupOfNewFiles: UInt32 { getegid() }

  /// Returns freed memory to the kernel (malloc_trim(3)).
  package static func giveBackMemory() { clinux_give_back_memory() }

  /// The executable of this process, without links.
  package static func executablePath() throws(SystemError) -> String {
    do throws(SystemError) {
      return try File.linkTarget("/proc/self/exe")
    } catch {
      var problem = error
      if !File.exists("/proc/self") {
        problem.cause =
          "/proc is not mounted, and jobrun needs it; as root: mount -t proc proc /proc"
      }
      throw problem
    }
  }

  /// The current folder; any bytes but NUL.
  package static func directory() throws(SystemError) -> [UInt8] {
    // Allocated by the call: a buffer for the longest path would cost a short-lived program a tenth of its
    // time, in pages that are cleared and never used.
    guard let path = unsafe getcwd(nil, 0) else {
      throw SystemError("find the current folder", errno)
    }
    defer { unsafe free(path) }
    return unsafe bytes(path)
  }

  package static func changeDirectory(_ path: String) throws(SystemError) {
    guard unsafe chdir(path) == 0 else { throw SystemError("enter", errno, path: path) }
  }

  /// The arguments as they were given, the program's name first; any bytes but NUL.
  package static func arguments() -> [[UInt8]] {
    let raw = unsafe CommandLine.unsafeArgv
    return (0..<Int(CommandLine.argc)).map { index in
      guard let argument = unsafe raw[index] else { return [] }
      return unsafe Self.bytes(argument)
    }
  }

  /// The environment as `NAME=VALUE`; any bytes but NUL.
  package static func environment() -> [[UInt8]] {
    var entries: [[UInt8]] = []
    var cursor = unsafe environ
    while let entry = unsafe cursor.pointee {
      entries.append(unsafe Self.bytes(entry))
      unsafe cursor += 1
    }
    return entries
  }

  /// Tells a waiting service manager that this process is ready (sd_notify(3)).
  package static func notifyReady() {
    // A manager that was not told reports that itself.
    _ = unsafe clinux_notify("READY=1")
  }

  /// One variable of the environment; nil when it is not set.
  package static func environmentValue(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The machine's name (gethostname(2)).
  package static func hostName() -> String {
    var room = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&room, room.count - 1) == 0 else { return "localhost" }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The number of processors that this process may run on.
  package static func processorCount() -> Int {
    max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// Opens `/dev/null` in place of closed standard streams, so that a file opened later does not get their
  /// number: messages for a person must not get into a socket or a database.
  ///
  /// It is opened in the wrong direction, so that using such a stream still fails.
  package static func occupyStandardStreams() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      // open(2) takes the lowest free number.
      guard let file = try? File.open("/dev/null", number == 0 ? .write : .read) else { return }
      _ = file.take()
    }
  }

  /// Whether this descriptor number is open in this process.
  package static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

  /// Makes standard input empty: writers to it get a broken pipe.
  package static func closeStandardInput() {
    guard let nothing = try? File.open("/dev/null") else { return }
    _ = dup2(nothing.number, 0)
  }

  /// Becomes the leader of a new session, without a terminal (setsid(2)).
  package static func startSession() throws(SystemError) {
    try SystemError.check(clinux_session(), "start a session")
  }

  /// The same for a process that batch systems start as the leader of a group, which can start no session.
  ///
  /// It joins the group of its parent first. Does nothing in the leader of a session.
  package static func leadSession() throws(SystemError) {
    guard getsid(0) != getpid() else { return }
    // If this is refused, so is the session.
    if getpgrp() == getpid() { _ = setpgid(0, getpgid(getppid())) }
    try startSession()
  }

  /// Orphaned descendants become children of this process instead of process 1 (prctl(2)).
  package static func adoptOrphans() throws(SystemError) {
    try SystemError.check(clinux_child_subreaper(), "adopt orphaned processes")
  }

  /// Keeps memory and environment of this process out of core dumps, as they hold secrets that submitters
  /// gave to their jobs; a refusal is ignored.
  package static func hideMemory() { _ = clinux_hide_memory() }

  /// Sets the umask (umask(2)) and returns the previous one.
  @discardableResult
  package static func setCreationMask(_ mask: UInt32) -> UInt32 { umask(mask) }

  /// The umask, read without setting it, as other threads may make files meanwhile (proc_pid_status(5));
  /// nil where the kernel does not tell.
  package static func creationMask() -> UInt32? {
    statusField("Umask:").flatMap { UInt32($0, radix: 8) }
  }

  /// Whether this process has the capability of this number (capabilities(7)).
  package static func isCapable(of number: Int) -> Bool {
    let mask = statusField("CapEff:").flatMap { UInt64($0, radix: 16) } ?? 0
    return mask >> UInt64(number) & 1 == 1
  }

  /// The field of this name in `/proc/self/status`.
  private static func statusField(_ name: String) -> String? {
    guard let bytes = try? File.readAll("/proc/self/status", limit: 1 << 16) else { return nil }
    let line = bytes.split(separator: 0x0A).first { $0.starts(with: name.utf8) }
    return line.map { line in
      String(decoding: line.dropFirst(name.utf8.count).filter { $0 > 0x20 }, as: UTF8.self)
    }
  }

  /// The umask in a program of one thread, at a tenth of the cost: set and restored (umask(2)).
  package static func creationMaskOfOneThread() -> UInt32 {
    let mask = setCreationMask(0o777)
    setCreationMask(mask)
    return mask
  }

  /// Raises the limit of open descriptors to the maximum; programs that it starts get the old limit, as
  /// some of them cannot use larger numbers (select(2)).
  package static func raiseDescriptorLimit() throws(SystemError) {
    try SystemError.check(clinux_raise_descriptor_limit(), "raise the limit of open files")
  }

  /// How many descriptors this process may have open (RLIMIT_NOFILE).
  package static func descriptorLimit() -> Int { max(0, Int(clinux_descriptor_limit())) }

  /// The commit that it was built from, as `make release` sets it; empty for any other build.
  package static var commit: String { unsafe String(cString: clinux_commit()) }

  /// Becomes another program, with the same environment and open standard streams (execv(3)).
  ///
  /// - Returns: the error; it returns only when that failed.
  package static func become(_ path: String, _ arguments: [String]) -> SystemError {
    // Never freed: when execv(3) fails, this process ends.
    let texts = unsafe ([path] + arguments).map { unsafe strdup($0) }
    _ = unsafe execv(path, texts + [nil])
    return SystemError("execute", errno, path: path)
  }

  package static func exit(_ code: Int32) -> Never {
    Glibc.exit(code)
  }

  private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

extension CurrentProcess {
  /// The process group that this process belongs to.
  package static var groupIdentifier: Int32 { getpgrp() }

  /// kill(2), only for this module: other modules use a process descriptor.
  static func sendSignal(_ number: Int32, to pid: Int32) {
    _ = clinux_kill(pid, number)
  }
}
