internal import JobPage
internal import LinuxSystem

/// The processes of one attempt: its control group where it has one, else what a search of `/proc` finds.
///
/// This process is outside of the group: it outlives what is ended with it, and tells how that ended.
struct WorkerTree {
  private let processes: ProcessTree
  private(set) var group: ControlGroup?

  init(_ order: LaunchOrder, below supervisor: ProcessIdentity) {
    processes = ProcessTree(of: order.environmentEntry, below: supervisor)
    group = order.group.map { ControlGroup(path: $0) }
  }

  /// Starts the worker in the group; one that takes no child (a kernel before 5.7, a folder that is
  /// gone) is done without.
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

  func signal(_ number: Int32) {
    processes.signal(number)
  }

  func kill() {
    group?.kill()
    // What has left its group, or never had one.
    processes.kill()
  }

  /// As often as it has children; see `ProcessTree`.
  func killOwnChildren() -> Int { processes.killOwnChildren() }

  /// A group stands still as one, with what is forked in it meanwhile; what has left it is stopped, too.
  func freeze() {
    let isFrozen = group?.setFrozen(true) == true
    processes.freeze(sparing: isFrozen ? group : nil)
  }

  func thaw() {
    let isThawed = group?.setFrozen(false) == true
    processes.thaw(sparing: isThawed ? group : nil)
  }

  /// Whether no child of this process belongs to it any more; there may be others, in its group.
  func hasNoChild(among childrenRemain: Bool) -> Bool {
    // An adopting process without children has no descendants at all, so no search is needed. A runner
    // that the job has started is none of them: it goes to whoever is above.
    !childrenRemain || processes.leavesOnlyIndependents()
  }
}
