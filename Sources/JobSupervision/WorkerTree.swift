internal import JobPage
internal import LinuxSystem

/// The processes of one attempt: its control group where it has one, else the result of a search of
/// `/proc`.
///
/// This process is outside of the group: it outlives the group's processes and reports how they ended.
struct WorkerTree {
  private let processes: ProcessTree
  private(set) var group: ControlGroup?

  init(_ order: LaunchOrder, below supervisor: ProcessIdentity) {
    processes = ProcessTree(of: order.environmentEntry, below: supervisor)
    group = order.group.map { ControlGroup(path: $0) }
  }

  /// Starts the worker in the group, or without it when the group takes no child (a kernel before 5.7, a
  /// removed folder).
  mutating func start(_ spawn: Spawn) throws(SystemError) -> Int32 {
    guard let folder = try? group?.open() else {
      group = nil
      return try spawn.start()
    }
    var grouped = spawn
    grouped.controlGroup = folder.number
    do throws(SystemError) {
      return try grouped.start()
    } catch {
      guard error.operation == Spawn.enteringGroup else { throw error }
      group?.remove()
      group = nil
      return try spawn.start()
    }
  }

  /// Returns how many processes were reached.
  func signal(_ number: Int32) -> Int { processes.signal(number) }

  func kill() {
    group?.kill()
    // Processes outside of the group.
    processes.kill()
  }

  /// For a tree that keeps having children; see `ProcessTree`.
  func killOwnChildren() -> Int { processes.killOwnChildren() }

  /// A group is frozen as a whole, with processes that are being forked; processes that left it are
  /// stopped, too.
  func freeze() {
    let isFrozen = group?.setFrozen(true) == true
    processes.freeze(sparing: isFrozen ? group : nil)
  }

  func thaw() {
    let isThawed = group?.setFrozen(false) == true
    processes.thaw(sparing: isThawed ? group : nil)
  }

  /// Whether no child of this process belongs to the tree; its group may have other processes.
  func hasNoChild(among childrenRemain: Bool) -> Bool {
    // An adopting process without children has no descendants at all, so no search is needed. A runner that
    // the job has started is not one of them: it goes to the next subreaper above.
    !childrenRemain || processes.leavesOnlyIndependents()
  }
}
