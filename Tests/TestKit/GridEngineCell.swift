import Foundation
import Glibc

/// A private Grid Engine in a separate folder: a master and one node with four processors, both on this machine,
/// on free ports, as the user who runs the tests.
package final class GridEngineCell {
  package let folder: String
  /// The environment for its commands.
  package let environment: [String: String]

  private let sandbox: Sandbox
  private var master: ChildProcess
  private var node: ChildProcess?
  private var starts = 0

  private static let programs = "/usr/lib/gridengine"
  private static let queue = "all.q"
  private static let share = "/usr/share/gridengine"

  package static let isInstalled =
    ["\(programs)/sge_qmaster", "\(programs)/sge_execd", "/usr/bin/qsub", "\(programs)/spoolinit"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  package init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    folder = sandbox.path("gridengine")
    environment = [
      "SGE_ROOT": folder, "SGE_CELL": "default", "SGE_QMASTER_PORT": "\(try FreePort.find())",
      "SGE_EXECD_PORT": "\(try FreePort.find())",
      // It stays a child of the test.
      "SGE_ND": "1",
    ]
    // They resolve the parts of an installation through its folder.
    for name in ["bin", "lib", "utilbin", "util"] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: "/var/lib/gridengine/\(name)")
    }
    let host = SlurmCluster.hostName()
    let spool = "\(folder)/default/common;\(folder)/qmaster"
    for name in ["qmaster/job_scripts", "spool", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try sandbox.write("\(host)\n", to: "gridengine/default/common/act_qmaster")
    try sandbox.write("\(host) localhost\n", to: "gridengine/default/common/host_aliases")
    try sandbox.write(
      """
      admin_user \(geteuid() == 0 ? "none" : NSUserName())
      default_domain none
      ignore_fqdn true
      spooling_method classic
      spooling_lib libspoolc
      spooling_params \(spool)
      binary_path \(Self.programs)
      qmaster_spool_dir \(folder)/qmaster
      security_mode none
      listener_threads 2
      worker_threads 2
      scheduler_threads 1

      """, to: "gridengine/default/common/bootstrap")
    try sandbox.write(
      Self.changed(
        try String(contentsOfFile: "\(Self.share)/default-configuration", encoding: .utf8),
        [
          "execd_spool_dir": "\(folder)/spool", "min_uid": "0", "min_gid": "0",
          "load_report_time": "00:00:01", "max_unheard": "00:01:00",
        ]), to: "gridengine/conf")
    let resources = "\(Self.share)/util/resources"
    for (name, arguments) in [
      ("spoolinit", ["classic", "libspoolc", spool, "init"]),
      ("spooldefaults", ["configuration", "\(folder)/conf"]),
      ("spooldefaults", ["complexes", "\(resources)/centry"]),
      ("spooldefaults", ["usersets", "\(resources)/usersets"]),
      ("spooldefaults", ["managers", NSUserName()]),
    ] {
      let done = try sandbox.run(
        "\(Self.programs)/\(name)", arguments, environment: environment)
      guard done.status == 0 else { throw Failure(what: "\(name): \(done.output)\(done.errors)") }
    }
    master = try sandbox.start("\(Self.programs)/sge_qmaster", environment: environment)
    try WaitFor.answer("the master") { try call("qconf", "-sh").contains(host) }
    try setUp(host, pe: "\(resources)/pe/smp")
    node = try sandbox.start("\(Self.programs)/sge_execd", environment: environment)
    try WaitFor.answer("the node") { try call("qstat", "-f").contains("lx-") }
  }

  private struct Failure: Error { var what: String }

  private func setUp(_ host: String, pe: String) throws {
    try call("qconf", "-as", host)
    let schedule = try call("qconf", "-ssconf")
    try change(
      "-Msconf", schedule,
      ["schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"])
    try change("-Ap", try String(contentsOfFile: pe, encoding: .utf8), ["slots": "100"])
    let queue = "qname \(Self.queue)\nhostlist \(host)\n" + (try call("qconf", "-sq"))
    try change(
      "-Aq", Self.lines(queue).joined(separator: "\n") + "\n",
      [
        "slots": "4", "shell": "/bin/sh", "pe_list": "smp", "load_thresholds": "NONE",
        "tmpdir": "\(folder)/tmp", "shell_start_mode": "unix_behavior",
      ])
  }

  /// The first line of each name counts.
  private static func lines(_ text: String) -> [Substring] {
    var names: Set<Substring> = []
    return text.split(separator: "\n").filter { line in
      names.insert(line.prefix { $0 != " " }).inserted
    }
  }

  private func change(_ option: String, _ text: String, _ values: [String: String]) throws {
    try sandbox.write(Self.changed(text, values), to: "gridengine/change")
    try call("qconf", option, "\(folder)/change")
  }

  private static func changed(_ text: String, _ values: [String: String]) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let name = String(line.prefix { $0 != " " })
      return values[name].map { "\(name) \($0)" } ?? String(line)
    }.joined(separator: "\n")
  }

  deinit { stop() }

  package func stop() {
    for process in [node, master] { process?.signal(SIGKILL) }
  }

  /// The output of one of its commands; empty when it fails.
  @discardableResult
  package func call(_ name: String, _ arguments: String...) throws -> String {
    try sandbox.run("/usr/bin/\(name)", arguments, environment: environment).output
  }

  /// Waits until the queue is as expected.
  package func awaitQueue(_ awaited: String, until isSo: ([Substring]) -> Bool) throws {
    try WaitFor.answer(awaited) {
      isSo(try call("qstat").split(separator: "\n").filter { $0.contains("jobrun.") })
    }
  }

  /// From now on the node does nothing that the master tells it, until it is continued.
  package func stopNode() { node?.signal(SIGSTOP) }
  package func continueNode() { node?.signal(SIGCONT) }

  /// Kills the master, but not while it hands a job to the node: such a job is still on its way three minutes
  /// later.
  package func killMaster() throws {
    try call("qmod", "-d", Self.queue)
    try awaitQueue("no job on its way to the node") { rows in
      !rows.contains { $0.split(separator: " ").dropFirst(4).first?.contains("t") ?? false }
    }
    master.signal(SIGKILL)
  }

  /// It gives numbers that the killed one has not given: that one has stored its last one some time ago, and
  /// what the node still reports of a job would be taken for a report of another.
  package func restartMaster() throws {
    _ = try? master.wait()
    starts += 1
    try sandbox.write("\(1_000 * starts)\n", to: "gridengine/qmaster/jobseqnum")
    master = try sandbox.start("\(Self.programs)/sge_qmaster", environment: environment)
    try WaitFor.answer("the restarted master") {
      try call("qmod", "-e", Self.queue).contains(Self.queue)
    }
  }
}
