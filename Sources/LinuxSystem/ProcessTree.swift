/// A job's processes: the descendants of one process, and all those whose environment holds a given
/// entry, which is how a process that left its parents behind is still found.
///
/// It reads `/proc` anew on every call (about 2 ms for 80 processes) and signals through process
/// descriptors, so never a stranger that got a number later. Process 1, this process and zombies
/// are never members.
package struct ProcessTree: Hashable, Sendable {
  /// The process whose descendants belong to the tree; nil: only the entry counts.
  package var root: ProcessIdentity?
  /// Whether `root` itself is a member.
  package var includesRoot: Bool
  /// A whole entry `NAME=VALUE`; nil: only descent counts.
  package var environmentEntry: [UInt8]?

  package init(root: ProcessIdentity?, includesRoot: Bool, environmentEntry: [UInt8]?) {
    self.root = root
    self.includesRoot = includesRoot
    self.environmentEntry = environmentEntry
  }

  /// Every live process of the tree now.
  package func members() -> [ProcessIdentity] {
    statuses().map { ProcessIdentity(pid: $0.pid, startTime: $0.startTime) }
  }

  /// Signals every member once; how many were reached.
  @discardableResult
  package func signal(_ number: Int32) -> Int {
    members().reduce(0) { $0 + (Self.send(number, to: $1) ? 1 : 0) }
  }

  /// Ends the tree so that nothing in it can escape by forking: every member is stopped, `/proc`
  /// is read again until no new one shows up, then all are killed.
  ///
  /// Returns how many were killed. They may take a moment to be gone; processes of another user
  /// (a set-user-ID program) cannot be reached and are not counted. Call it again until
  /// `members()` is empty.
  @discardableResult
  package func kill() -> Int {
    var stopped: Set<ProcessIdentity> = []
    // A tree that forks faster than it can be stopped is stopped from its oldest on, so each round
    // leaves fewer that fork. The bound only guards against a tree of unreachable processes.
    for _ in 0..<64 {
      let fresh = members().filter { !stopped.contains($0) && Self.send(Signal.stop, to: $0) }
      if fresh.isEmpty { break }
      stopped.formUnion(fresh)
    }
    return stopped.reduce(0) { $0 + (Self.send(Signal.kill, to: $1) ? 1 : 0) }
  }

  private func statuses() -> [ProcessStatus] {
    let all = Self.processes()
    let family = descendants(among: all)
    return all.filter { status in
      guard status.pid > 1, status.pid != CurrentProcess.identifier, !status.isZombie else {
        return false
      }
      return family.contains(status.pid) || holdsEntry(status.pid)
    }
  }

  private func descendants(among all: [ProcessStatus]) -> Set<Int32> {
    guard let root, all.contains(where: { $0.pid == root.pid && $0.startTime == root.startTime })
    else { return [] }
    let children = Dictionary(grouping: all, by: \.parent)
    var family: Set<Int32> = includesRoot ? [root.pid] : []
    var rest = [root.pid]
    while let parent = rest.popLast() {
      for child in children[parent] ?? [] where family.insert(child.pid).inserted {
        rest.append(child.pid)
      }
    }
    return family
  }

  /// Whether the process was started with the entry; false when its environment is not ours to read.
  private func holdsEntry(_ pid: Int32) -> Bool {
    guard let environmentEntry,
      let environment = try? File.readAll("/proc/\(pid)/environ", limit: 8 << 20)
    else { return false }
    return environment.split(separator: 0).contains { $0.elementsEqual(environmentEntry) }
  }

  private static func processes() -> [ProcessStatus] {
    let names = (try? File.names(in: "/proc")) ?? []
    return names.compactMap { Int32($0).flatMap { ProcessStatus(pid: $0) } }
  }

  private static func send(_ number: Int32, to process: ProcessIdentity) -> Bool {
    // Errors are answers here: it is gone, or it is another user's.
    guard let descriptor = try? ProcessDescriptor(process) else { return false }
    return (try? descriptor.signal(number)) ?? false
  }
}
