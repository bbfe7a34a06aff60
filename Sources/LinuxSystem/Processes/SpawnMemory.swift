internal import CLinux

/// A spawn request in the layout of the C call.
///
/// All strings lie in one block, each ended by NUL; tables of pointers into it live only during the call.
@unsafe
struct SpawnMemory {
  private let text: [UInt8]
  private let executables: [Int]
  private let arguments: [Int]
  private let environment: [Int]
  private let directory: Int?
  private let prefix: Int
  private let suffix: Int
  private let spawn: Spawn

  init(_ spawn: Spawn) {
    var text: [UInt8] = []
    func append(_ bytes: [UInt8]) -> Int {
      let start = text.count
      // C would cut the string at an inner NUL; it is cut here, visibly.
      text += bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)]
      text.append(0)
      return start
    }
    unsafe executables = spawn.candidates.map { append($0) }
    unsafe arguments = spawn.arguments.map { append($0) }
    unsafe environment = spawn.environment.map { append($0) }
    unsafe directory = spawn.directory.map { append($0) }
    unsafe prefix = append(Array((spawn.announcement?.prefix ?? "").utf8))
    unsafe suffix = append(Array((spawn.announcement?.suffix ?? "").utf8))
    unsafe self.text = text
    unsafe self.spawn = spawn
  }

  /// The pid, or a negative error number and the step that failed.
  func start() -> (outcome: Int32, step: String) {
    unsafe text.withUnsafeBytes { text in
      guard let base = unsafe text.assumingMemoryBound(to: CChar.self).baseAddress else {
        return (-SystemError.invalid, "start")
      }
      func table(_ offsets: [Int]) -> [UnsafePointer<CChar>?] {
        unsafe offsets.map { unsafe base + $0 } + [nil]
      }
      let executables = unsafe table(executables)
      let arguments = unsafe table(arguments)
      let environment = unsafe table(environment)
      var shell = unsafe [UnsafePointer<CChar>?](repeating: nil, count: arguments.count + 2)
      for index in unsafe arguments.indices.dropFirst() {
        unsafe shell[index + 1] = arguments[index]
      }
      let sources = unsafe spawn.descriptors.map { $0.source }
      let targets = unsafe spawn.descriptors.map { $0.target }
      return unsafe executables.withUnsafeBufferPointer { executables in
        unsafe arguments.withUnsafeBufferPointer { arguments in
          unsafe environment.withUnsafeBufferPointer { environment in
            unsafe shell.withUnsafeMutableBufferPointer { shell in
              unsafe sources.withUnsafeBufferPointer { sources in
                unsafe targets.withUnsafeBufferPointer { targets in
                  var raw = unsafe clinux_spawn()
                  unsafe raw.executables = executables.baseAddress
                  unsafe raw.arguments = arguments.baseAddress
                  unsafe raw.environment = environment.baseAddress
                  unsafe raw.shell_arguments = shell.baseAddress
                  unsafe raw.sources = sources.baseAddress
                  unsafe raw.targets = targets.baseAddress
                  unsafe complete(&raw, base)
                  return unsafe call(&raw)
                }
              }
            }
          }
        }
      }
    }
  }

  private func complete(_ raw: inout clinux_spawn, _ base: UnsafePointer<CChar>) {
    unsafe raw.descriptors = Int32(spawn.descriptors.count)
    unsafe raw.directory = directory.map { unsafe base + $0 }
    unsafe raw.new_session = spawn.startsSession ? 1 : 0
    unsafe raw.new_group = spawn.startsGroup ? 1 : 0
    unsafe raw.takes_foreground = spawn.takesForeground ? 1 : 0
    unsafe raw.death_signal = spawn.deathSignal ?? 0
    unsafe raw.niceness = min(19, max(0, spawn.niceness))
    unsafe raw.resets_terms = spawn.resetsTerms ? 1 : 0
    unsafe raw.control_group = spawn.controlGroup ?? 0
    guard let announcement = unsafe spawn.announcement else { return }
    unsafe raw.announce_prefix = base + prefix
    unsafe raw.announce_suffix = base + suffix
    unsafe raw.announce_to = (announcement.record, announcement.listener)
  }

  private func call(_ raw: inout clinux_spawn) -> (outcome: Int32, step: String) {
    let words = unsafe spawn.terms?.words ?? []
    let outcome = unsafe words.withUnsafeBufferPointer { words in
      unsafe raw.terms = words.isEmpty ? nil : words.baseAddress
      unsafe raw.term_count = Int32(words.count)
      return unsafe clinux_spawn(&raw)
    }
    guard outcome < 0, let step = unsafe raw.failed_step else { return (outcome, "start") }
    return (outcome, unsafe String(cString: step))
  }
}
