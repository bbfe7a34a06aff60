import Foundation
import Glibc

/// A private Slurm in a separate folder: a controller and several nodes, all on this machine, on free ports, as
/// the user who runs the tests.
package final class SlurmCluster {
  package let folder: String
  /// The environment for Slurm's commands.
  package var environment: [String: String] { ["SLURM_CONF": configuration] }

  private let sandbox: Sandbox
  private let configuration: String
  private var controller: ChildProcess
  private var nodes: [ChildProcess] = []
  private var starts = 0

  package static let isInstalled =
    ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch", "/usr/bin/squeue"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  /// Jobs of the partition `high` preempt others, those of `short` have a minute.
  package init(_ sandbox: Sandbox, nodes count: Int = 1, processors: Int = 4) throws {
    self.sandbox = sandbox
    folder = sandbox.path("slurm")
    configuration = "\(folder)/slurm.conf"
    let user = NSUserName()
    let host = Self.hostName()
    var text = """
      ClusterName=test
      SlurmctldHost=\(host)(127.0.0.1)
      SlurmctldPort=\(try FreePort.find())
      SlurmUser=\(user)
      SlurmdUser=\(user)
      AuthType=auth/none
      CredType=cred/none
      CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
      StateSaveLocation=\(folder)/state
      SlurmdSpoolDir=\(folder)/spool.%n
      SlurmctldPidFile=\(folder)/slurmctld.pid
      SlurmdPidFile=\(folder)/slurmd.%n.pid
      ProctrackType=proctrack/linuxproc
      TaskPlugin=task/none
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core_Memory
      DefMemPerCPU=100
      SchedulerParameters=batch_sched_delay=0
      PreemptType=preempt/partition_prio
      PreemptMode=CANCEL
      MpiDefault=none
      ReturnToService=2
      SlurmdParameters=config_overrides
      KillWait=3
      MinJobAge=300
      MessageTimeout=5
      SlurmctldLogFile=\(folder)/slurmctld.log
      SlurmdTimeout=9

      """
    for number in 1...count {
      text +=
        "NodeName=n\(number) NodeHostname=\(host) NodeAddr=127.0.0.1 Port=\(try FreePort.find())"
        + " CPUs=\(processors) RealMemory=2000 State=UNKNOWN\n"
    }
    text += """
      PartitionName=p Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP
      PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE State=UP
      PartitionName=short Nodes=ALL PriorityTier=1 MaxTime=1 DefaultTime=1 State=UP

      """
    try FileManager.default.createDirectory(
      atPath: "\(folder)/state", withIntermediateDirectories: true)
    try sandbox.write(text, to: "slurm/slurm.conf")
    controller = try sandbox.start(
      "/usr/sbin/slurmctld", ["-D", "-c", "-i", "-f", configuration])
    for number in 1...count {
      nodes.append(
        try sandbox.start("/usr/sbin/slurmd", ["-D", "-N", "n\(number)", "-f", configuration]))
    }
    // There is no event for the registration of all nodes; a query costs 10 ms.
    let deadline = ContinuousClock.now + Deadline.timeout
    while try call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split(separator: "\n").count
      < count
    {
      guard ContinuousClock.now < deadline else {
        throw Overdue(awaited: "all nodes of Slurm", limit: Deadline.timeout, seen: "")
      }
    }
  }

  deinit { stop() }

  /// Cancels all jobs, then ends the cluster.
  package func stop() {
    _ = try? call("scancel", "--full", "--signal=KILL", "--me")
    _ = try? call("scancel", "--me")
    for process in nodes + [controller] { process.signal(SIGKILL) }
  }

  /// The output of a Slurm command; empty when it fails.
  @discardableResult
  package func call(_ name: String, _ arguments: String...) throws -> String {
    try call(name, arguments)
  }

  package func call(_ name: String, _ arguments: [String]) throws -> String {
    try sandbox.run("/usr/bin/\(name)", arguments, environment: environment).output
  }

  package func killController() { controller.signal(SIGKILL) }

  /// It gives numbers that the killed one has not given: what that one did in its last seconds is not stored, and
  /// a node that still has a job of a number that is given again is drained.
  package func restartController() throws {
    _ = try? controller.wait()
    starts += 1
    let text = try String(contentsOfFile: configuration, encoding: .utf8)
    try sandbox.write("\(text)FirstJobId=\(1_000 * starts)\n", to: "slurm/slurm.conf")
    controller = try sandbox.start("/usr/sbin/slurmctld", ["-D", "-i", "-f", configuration])
    try resumeDuplicates()
  }

  /// A node is also drained if a job is sent to it a second time because its start was not stored.
  ///
  /// An administrator would resume the node; here a trigger does.
  private func resumeDuplicates() throws {
    let trigger = try sandbox.write(
      """
      #!/bin/sh
      export SLURM_CONF='\(configuration)'
      /usr/bin/sinfo -h -N -t drain -o '%N %E' | while read -r node reason; do
        case $reason in Duplicate*) /usr/bin/scontrol update "nodename=$node" state=resume ;; esac
      done

      """, to: "slurm/resume", executable: true)
    // There is no event for a controller that answers. A later one may have the trigger of the one before.
    let deadline = ContinuousClock.now + Deadline.timeout
    while try !call("strigger", "--get", "--node").contains(trigger) {
      guard ContinuousClock.now < deadline else {
        throw Overdue(awaited: "a trigger of Slurm", limit: Deadline.timeout, seen: "")
      }
      try call("strigger", "--set", "--node", "--drained", "--flags=PERM", "--program=\(trigger)")
    }
    // A node may have been drained before that.
    try sandbox.run(trigger)
  }

  static func hostName() -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    _ = unsafe gethostname(&bytes, 255)
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.split(separator: ".").first.map(String.init) ?? name
  }
}
