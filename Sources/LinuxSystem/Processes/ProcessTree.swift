/// The processes of a job: the descendants of one process, and all processes whose environment holds a
/// given entry, which also finds re-parented ones.
///
/// It reads `/proc` anew on every call (about 2 ms for 80 processes). Process 1, this process and zombies
/// are never members.
package struct ProcessTree: Hashable, Sendable {
  /// The process whose descendants belong to the tree; nil: only the entry counts.
  package var root: ProcessIdentity?
  /// Whether `root` itself is a member.
  package var includesRoot: Bool
  /// A whole entry `NAME=VALUE`; nil: only descent counts.
  package var environmentEntry: [UInt8]?
  /// Programs that do not belong to the tree once they lead a session of their own: neither such a process
  /// nor its descendants are members, whoever started it.
  package var independents: [String] = []

  package init(root: ProcessIdentity?, includesRoot: Bool, environmentEntry: [UInt8]?) {
    self.root = root
    self.includesRoot = includesRoot
    self.environmentEntry = environmentEntry
  }

  /// All live processes of the tree.
  package func members() -> [ProcessIdentity] { look().members.map { $0.identity } }

  /// Whether no live process of the tree is left.
  ///
  /// A process that is executing a program shows its environment only after that: it is waited for, up to
  /// 0.3 s.
  package func isEmpty() -> Bool {
    let deadline = AwakeClock.now() + 300_000_000
    while true {
      let look = look()
      guard look.members.isEmpty else { return false }
      if !look.isPartial || AwakeClock.now() >= deadline { return true }
      _ = try? Poll.wait([], until: AwakeClock.now() + 2_000_000)
    }
  }

  /// Signals every member once, except those of a control group; returns how many were reached.
  @discardableResult
  package func signal(_ number: Int32, sparing group: ControlGroup? = nil) -> Int {
    let look = look(sparing: group)
    let groups = look.groups
    for group in groups { ProcessGroup.signal(group, number) }
    return look.members.reduce(0) { count, member in
      if groups.contains(member.group) { return count + 1 }
      return count + (Self.send(number, to: member.identity) ? 1 : 0)
    }
  }

  /// Ends the tree so that no process can escape by forking: everything is stopped, then all are killed.
  ///
  /// Returns how many were killed. They may take a moment to disappear; processes of another user (a
  /// set-user-ID program) cannot be reached and are not counted. Call it again until `members()` is empty.
  @discardableResult
  package func kill() -> Int {
    let (stopped, groups) = stopAll()
    for group in groups { ProcessGroup.kill(group) }
    return stopped.reduce(0) { $0 + (Self.send(Signal.kill, to: $1) ? 1 : 0) }
  }

  /// Stops every process of the tree, including those forked meanwhile, except those of a control group;
  /// returns how many were reached.
  @discardableResult
  package func freeze(sparing group: ControlGroup? = nil) -> Int {
    stopAll(sparing: group).members.count
  }

  /// Continues every process of the tree, except those of a control group; returns how many were reached.
  @discardableResult
  package func thaw(sparing group: ControlGroup? = nil) -> Int {
    signal(Signal.continue, sparing: group)
  }

  /// Stops every group and every member, and reads `/proc` again until there is no new one.
  private func stopAll(
    sparing controlGroup: ControlGroup? = nil
  ) -> (members: Set<ProcessIdentity>, groups: Set<Int32>) {
    var stopped: Set<ProcessIdentity> = []
    var groups: Set<Int32> = []
    // A tree that forks faster than it can be stopped is stopped from its oldest on, so each round leaves
    // fewer processes that fork. The limit only guards against a tree of unreachable processes.
    for _ in 0..<64 {
      let look = look(sparing: controlGroup)
      let newGroups = look.groups.subtracting(groups)
      for group in newGroups { ProcessGroup.signal(group, Signal.stop) }
      groups.formUnion(newGroups)
      let fresh = look.members.map { $0.identity }
        .filter { !stopped.contains($0) && Self.send(Signal.stop, to: $0) }
      if fresh.isEmpty, newGroups.isEmpty { break }
      stopped.formUnion(fresh)
    }
    return (stopped, groups)
  }

  /// The independent processes that are parents of these children, zombies too.
  package func independents(above children: [Int32]) -> Set<ProcessIdentity> {
    children.reduce(into: []) { found, pid in
      guard let child = ProcessStatus(pid: pid), let parent = ProcessStatus(pid: child.parent),
        isIndependent(parent)
      else { return }
      found.insert(parent.identity)
    }
  }

  /// Kills the children of this process that are not independent; returns their number, without zombies.
  ///
  /// This is much faster than a search: in a chain of processes that each start a session, fork and end
  /// within a millisecond, it reaches a link as soon as the one before has ended and this process has
  /// become the parent. Reap before and after it: a list full of zombies takes long to read.
  package func killOwnChildren() -> Int {
    ProcessFiles.children(of: CurrentProcess.identifier).count { pid in
      guard let child = ProcessStatus(pid: pid), !child.isZombie, !isIndependent(child) else {
        return false
      }
      // The number cannot be reused before this process reaps the child.
      CurrentProcess.sendSignal(Signal.kill, to: pid)
      return true
    }
  }

  /// Whether this process, as the root and a subreaper, has children and all of them are independent, so
  /// that no member of the tree is left below it.
  package func leavesOnlyIndependents() -> Bool {
    let listed = ProcessFiles.children(of: CurrentProcess.identifier)
    let children =
      listed.isEmpty
      // The kernel keeps no such list (CONFIG_PROC_CHILDREN).
      ? Self.processes().filter { $0.parent == CurrentProcess.identifier }.map { $0.pid } : listed
    // A child that has just ended may have left children to this process; its SIGCHLD follows.
    return !children.isEmpty
      && children.allSatisfy { ProcessStatus(pid: $0).map { isIndependent($0) } ?? false }
  }
}

// Reading `/proc`.
extension ProcessTree {
  /// A snapshot of `/proc`.
  private struct Look {
    var members: [ProcessStatus] = []
    /// Process groups that belong wholly to the tree.
    ///
    /// One signal reaches the whole group, including a process that is just being forked, and so a chain
    /// whose links live too briefly to be found.
    var groups: Set<Int32> = []
    /// Whether a process was executing a program, so that its environment is unknown.
    var isPartial = false
  }

  private func look(sparing group: ControlGroup? = nil) -> Look {
    let all = Self.processes()
    let family = descendants(among: all)
    // Read after the processes, so that a process moved into the group meanwhile is spared.
    let spared = Set(group?.allProcesses ?? [])
    var look = Look()
    var foreign: Set<Int32> = []
    for status in all {
      let isMember =
        !spared.contains(status.pid) && isMember(status, of: family, &look.isPartial)
      if isMember { look.members.append(status) }
      // A zombie of the family still names the group in which its child goes on.
      if isMember || family.contains(status.pid) { look.groups.insert(status.group) }
      if !isMember, !status.isZombie { foreign.insert(status.group) }
    }
    look.groups.subtract(foreign)
    return look
  }

  private func isMember(
    _ status: ProcessStatus, of family: Set<Int32>, _ isPartial: inout Bool
  ) -> Bool {
    guard status.pid > 1, status.pid != CurrentProcess.identifier, !status.isZombie else {
      return false
    }
    if family.contains(status.pid) { return true }
    guard let holdsEntry = holdsEntry(status.pid) else {
      isPartial = true
      return false
    }
    return holdsEntry && !isIndependent(status)
  }

  private func isIndependent(_ status: ProcessStatus) -> Bool {
    status.leadsSession && !status.isZombie && independents.contains(status.name)
  }

  private func descendants(among all: [ProcessStatus]) -> Set<Int32> {
    guard let root, all.contains(where: { $0.pid == root.pid && $0.startTime == root.startTime })
    else { return [] }
    let children = Dictionary(grouping: all) { $0.parent }
    var family: Set<Int32> = includesRoot ? [root.pid] : []
    var rest = [root.pid]
    while let parent = rest.popLast() {
      for child in children[parent] ?? []
      where !isIndependent(child) && family.insert(child.pid).inserted {
        rest.append(child.pid)
      }
    }
    return family
  }

  /// Whether the process was started with the entry; false when this user may not read its environment, nil
  /// while it has none because it is executing a program.
  private func holdsEntry(_ pid: Int32) -> Bool? {
    guard let environmentEntry,
      let environment = try? File.readAll("/proc/\(pid)/environ", limit: 8 << 20)
    else { return false }
    if environment.isEmpty, Self.isExecuting(pid) { return nil }
    return environment.split(separator: 0).contains { $0.elementsEqual(environmentEntry) }
  }

  /// Whether the process is in the middle of execve(2), where its new memory has no arguments yet.
  ///
  /// Threads of the kernel never have any, and no executable either.
  private static func isExecuting(_ pid: Int32) -> Bool {
    (try? File.readAll("/proc/\(pid)/cmdline", limit: 1)) == []
      && (try? File.linkTarget("/proc/\(pid)/exe")) != nil
  }

  private static func processes() -> [ProcessStatus] {
    let names = (try? File.names(in: "/proc")) ?? []
    return names.compactMap { Int32($0).flatMap { ProcessStatus(pid: $0) } }
  }

  private static func send(_ number: Int32, to process: ProcessIdentity) -> Bool {
    // An error is an answer here: the process is gone, or belongs to another user.
    guard let descriptor = try? ProcessDescriptor(process) else { return false }
    return (try? descriptor.signal(number)) ?? false
  }
}

extension ProcessStatus {
  fileprivate var identity: ProcessIdentity { ProcessIdentity(pid: pid, startTime: startTime) }
}
