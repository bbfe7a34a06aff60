package import JobWire
package import LinuxSystem

/// The control group that this runner may divide, if there is one: below it `runner` for itself and its
/// supervisors, and in `jobs` a group for each attempt.
///
/// It is used only if no other owner is affected: this user may write to it, it contains only this process, and
/// if systemd made it, systemd delegated it (`Delegate=` of systemd.resource-control(5)). A login session's
/// group, which is shared, is left as it is.
package enum GroupDelegation {
  /// The groups of jobs are made in `jobs`, with these controllers.
  case granted(jobs: ControlGroup, controllers: [String])
  /// Why there is none, for people.
  case missing(String)

  /// Each is enabled by itself, as one may be in use elsewhere (version 1).
  static let controllers = ["cpu", "memory", "io", "pids"]
  /// Marks the store whose runner divides a group, so that another runner does not mistake its jobs for strays.
  private static let storeMark = "user.jobrun.store"
  private static let runner = "runner"
  private static let jobs = "jobs"
  /// Where systemd runs a unit's commands that are not its main process.
  private static let control = ".control"

  /// Claims the group of this process, if permitted, and moves this process into `runner`.
  ///
  /// `store`: see `Paths.storeName`.
  package static func claim(for store: String, root: String = "") -> GroupDelegation {
    guard let own = ControlGroup.own(root: root) else {
      return .missing("cgroup2 is not mounted here")
    }
    let base = divided(above: own) ?? own
    if let problem = problem(of: base, from: own, store) { return .missing(problem) }
    let place = base.child(runner)
    let jobs = base.child(Self.jobs)
    do throws(SystemError) {
      try place.make()
      try jobs.make()
    } catch {
      return .missing("\(error)")
    }
    guard place.enter() else { return .missing("\(place.path) accepts no processes") }
    // Without it another store's runner that is started from a job would do without a group, too.
    _ = base.setAttribute(storeMark, to: store)
    let enabled = controllers.filter { base.enable($0) && jobs.enable($0) }
    return .granted(jobs: jobs, controllers: enabled)
  }

  /// For `runner status`.
  package var report: RunnerStatus.Finding {
    switch self {
    case .granted(let jobs, let controllers):
      let words = controllers.isEmpty ? "" : " with \(controllers.joined(separator: ", "))"
      return .init(isOn: true, why: "one for each job in \(jobs.path)\(words)")
    case .missing(let reason):
      return .init(
        isOn: false, why: "\(reason); a search finds the processes that are ended or paused")
    }
  }

  /// Makes a restart of a unit's main process possible in the group of the unit: a group that passes its
  /// controllers to subgroups cannot contain a process.
  package static func release(root: String = "") {
    guard let own = ControlGroup.own(root: root) else { return }
    let base = own.name == control ? own.parent : own
    guard base.child(jobs).exists else { return }
    base.disableControllersOfAll()
  }

  /// The group that a runner divides and that contains this process: it was started by a job, or by an on-end
  /// command.
  private static func divided(above own: ControlGroup) -> ControlGroup? {
    var group = own
    while group.path != "/", group.path != group.parent.path {
      if group.attribute(storeMark) != nil { return group == own ? nil : group }
      group = group.parent
    }
    return nil
  }

  /// Why the group is not this runner's to divide; nil when it is.
  private static func problem(
    of base: ControlGroup, from own: ControlGroup, _ store: String
  ) -> String? {
    let status = (try? File.status(base.path)) ?? nil
    guard status?.owner == CurrentProcess.userIdentifier,
      (try? File.checkWritable(base.path)) != nil
    else { return "\(base.path) is not handed over to this user" }
    if base != own, base.attribute(storeMark) != store {
      // As part of that job it would end with it.
      _ = base.child(runner).enter()
      return "\(base.path) belongs to the runner of another store"
    }
    if let owner = base.attribute(storeMark), owner != store, base.child(jobs).isPopulated {
      // Its job numbers would collide with those here.
      return "jobs of the runner of another store still live in \(base.path)"
    }
    let others = base.processes.filter { $0 != CurrentProcess.identifier }
    let strange = base.children.filter { ![runner, jobs, control].contains($0) }
    guard others.isEmpty, strange.isEmpty else {
      return "\(base.path) is shared with other processes"
    }
    return isHandedOver(base, store) ? nil : "systemd has not handed over \(base.path) (Delegate=)"
  }

  /// A group that systemd did not make belongs to its user.
  private static func isHandedOver(_ base: ControlGroup, _ store: String) -> Bool {
    let names = base.path.split(separator: "/")
    let endings = [".service", ".scope", ".slice"]
    guard names.contains(where: { name in endings.contains { name.hasSuffix($0) } }) else {
      return true
    }
    // Older versions mark it only in the trusted namespace, or not at all; our own units are recognised by
    // name.
    return ["user.delegate", "trusted.delegate"].contains { base.attribute($0) == "1" }
      || base.name == "jobrun.service" || base.name.hasPrefix("jobrun-\(store)")
  }
}
