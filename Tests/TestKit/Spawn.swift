import Glibc

/// A process to start: posix_spawn(3) with a clean signal mask, default dispositions and no descriptors but
/// 0, 1 and 2.
struct Spawn {
  var executable: String
  var arguments: [String]
  var environment: [String: String]
  var directory: String?
  /// The path of a terminal that becomes the controlling one and all three standard descriptors.
  var terminal: String?
  /// The child's standard input, nil being /dev/null; ignored with a terminal.
  var input: Int32?
  /// The child's output; ignored with a terminal.
  var output: Int32 = -1
  var errors: Int32 = -1

  /// Starts the process, as a session leader so that no terminal of the test run reaches it.
  func start() throws(SystemCallFailure) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe addDescriptors(to: &actions)
    if let directory, unsafe GNULibrary.addDirectory(directory, to: &actions) != 0 {
      throw SystemCallFailure("set the folder \(directory)")
    }
    setSignals(of: &attributes)

    let argumentList = CStringList([executable] + arguments)
    let environmentList = CStringList(environment.map { "\($0.key)=\($0.value)" }.sorted())
    defer {
      argumentList.free()
      environmentList.free()
    }
    var pid: Int32 = 0
    let code = unsafe posix_spawnp(
      &pid, executable, &actions, &attributes, argumentList.pointers, environmentList.pointers)
    guard code == 0 else { throw SystemCallFailure("spawn \(executable)", code: code) }
    return pid
  }

  private func addDescriptors(to actions: inout posix_spawn_file_actions_t) {
    if let terminal {
      // The new session's leader opens it without O_NOCTTY: it becomes the controlling terminal.
      unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
      return
    }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
  }

  private func setSignals(of attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let setSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, a macro that Swift does not import
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | setSession
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

/// A NULL-terminated array of C strings, as exec wants it; freed by hand.
@safe
private struct CStringList {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe pointers[index] = strdup(string)
    }
    unsafe pointers[strings.count] = nil
  }

  func free() {
    for index in 0..<count { unsafe Glibc.free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
