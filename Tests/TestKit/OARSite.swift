import Foundation
import Glibc

/// A private OAR in a separate folder: a database, a server and one node with four cores, all on this machine,
/// on free ports, as the user who runs the tests.
///
/// Its programs are unpacked and not installed (`.ci/oar`), so none is setuid: where OAR would become another
/// user, or log in on a node, here it stays itself.
package final class OARSite {
  package let folder: String
  /// The environment for its commands, with their folder first on PATH.
  package let environment: [String: String]
  /// Where its commands are.
  package var commands: String { "\(folder)/lib" }

  private let sandbox: Sandbox
  private let port: UInt16
  private var database: ChildProcess?
  private var server: ChildProcess?

  private static let root = ProcessInfo.processInfo.environment["JOBRUN_OAR_ROOT"]
  /// The newest PostgreSQL.
  private static let postgres =
    ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
    .sorted { Int($0) ?? 0 < Int($1) ?? 0 }.last.map { "/usr/lib/postgresql/\($0)/bin" }

  package static let isInstalled =
    [root.map { "\($0)/usr/lib/oar/Almighty" }, postgres.map { "\($0)/initdb" }, "/usr/bin/psql"]
    .allSatisfy { $0.map { FileManager.default.isExecutableFile(atPath: $0) } ?? false }

  package init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    folder = sandbox.path("oar")
    port = try FreePort.find()
    let root = Self.root ?? ""
    let user = NSUserName()
    environment = [
      "OARDIR": "\(folder)/lib", "OARCONFFILE": "\(folder)/oar.conf", "OARUSER": user,
      "OARDO_USER": user, "OARDO_UID": "\(getuid())",
      "PERL5LIB": "\(root)/usr/share/perl5:\(root)\(Self.perlFolder)",
      "PATH": "\(folder)/lib:\(folder)/lib/oardodo:" + (sandbox.environment["PATH"] ?? ""),
    ]
    for name in ["lib/oardodo", "run", "database"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    let programs = "\(root)/usr/lib/oar"
    for name in try FileManager.default.contentsOfDirectory(atPath: programs)
    where !["oardodo", "bipbip"].contains(name) {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/lib/\(name)", withDestinationPath: "\(programs)/\(name)")
    }
    try writeConfiguration()
    try writeChanged(
      "\(programs)/bipbip", to: "lib/bipbip",
      ["/usr/share/perl5/OAR/Tools.pm": "\(folder)/Tools.pm"])
    // Every shell of a job would read the settings of the person who runs the tests.
    try writeChanged(
      "\(root)/usr/share/perl5/OAR/Tools.pm", to: "Tools.pm",
      ["~oar/.batch_job_bashrc": "/dev/null"])
    let made = try sandbox.run(
      "/usr/bin/unshare",
      Self.asNobody
        + [
          "\(Self.postgres ?? "")/initdb", "-D", "\(folder)/database", "-A", "trust", "-U", "oar",
          "-E", "UTF8", "--locale=C", "--no-sync",
        ])
    guard made.status == 0 else { throw Failure(what: "initdb: \(made.errors)") }
    try startDatabase()
    try query("postgres", "-c", "CREATE DATABASE oar")
    let structure = "\(programs)/database"
    try query(
      "oar", "-f", "\(structure)/pg_structure.sql", "-f",
      "\(structure)/pg_default_admission_rules.sql", "-f", "\(structure)/default_data.sql", "-c",
      Self.node)
    server = try startServer()
  }

  private struct Failure: Error { var what: String }

  /// PostgreSQL refuses to run as root.
  private static let asNobody = ["--user", "--map-user=65534"]

  /// Where Debian has what of Perl is compiled.
  private static let perlFolder = "/usr/lib/x86_64-linux-gnu/perl5/5.36"

  /// Makes four cores of one node, and lets root submit.
  private static let node =
    "DELETE FROM admission_rules WHERE rule LIKE '%not allowed to submit%';"
    + " ALTER TABLE resources ADD core integer;"
    + " INSERT INTO resources (network_address, core, state)"
    + " SELECT '127.0.0.1', n, 'Alive' FROM generate_series(1, 4) n;"

  private func writeConfiguration() throws {
    try sandbox.write("#!/bin/sh\nexec \"$@\"\n", to: "oar/lib/oardodo/oardodo", executable: true)
    // The node is this machine.
    try sandbox.write(
      """
      #!/bin/sh
      while :; do case $1 in -*) shift ;; *) break ;; esac; done
      shift
      exec setsid --wait sh -c "$*"

      """, to: "oar/ssh", executable: true)
    try sandbox.write(
      """
      DB_TYPE="Pg"
      DB_HOSTNAME="127.0.0.1"
      DB_PORT="\(port)"
      DB_BASE_NAME="oar"
      DB_BASE_LOGIN="oar"
      DB_BASE_PASSWD="oar"
      DB_BASE_LOGIN_RO="oar"
      DB_BASE_PASSWD_RO="oar"
      SERVER_HOSTNAME="localhost"
      SERVER_PORT="\(try FreePort.find())"
      OARSUB_DEFAULT_RESOURCES="/resource_id=1"
      OARSUB_NODES_RESOURCES="network_address"
      OARSUB_FORCE_JOB_KEY="no"
      LOG_LEVEL="2"
      LOG_CATEGORIES="all"
      LOG_FILE="\(folder)/log"
      OAR_RUNTIME_DIRECTORY="\(folder)/run"
      DEPLOY_HOSTNAME="127.0.0.1"
      COSYSTEM_HOSTNAME="127.0.0.1"
      DETACH_JOB_FROM_SERVER="1"
      OPENSSH_CMD="\(folder)/ssh"
      PINGCHECKER_GENERIC_COMMAND="/bin/true"
      FINAUD_FREQUENCY="0"
      SCHEDULER_TIMEOUT="30"
      SCHEDULER_JOB_SECURITY_TIME="1"
      SCHEDULER_MIN_TIME_BETWEEN_2_CALLS="1"
      SCHEDULER_RESOURCE_ORDER="state_num ASC, resource_id ASC"
      ENERGY_SAVING_INTERNAL="no"

      """, to: "oar/oar.conf")
  }

  private func writeChanged(
    _ source: String, to name: String, _ changes: [String: String]
  ) throws {
    var text = try String(contentsOfFile: source, encoding: .utf8)
    for (before, after) in changes { text.replace(before, with: after) }
    try sandbox.write(text, to: "oar/\(name)", executable: true)
  }

  private func startDatabase() throws {
    database = try sandbox.start(
      "/usr/bin/unshare",
      Self.asNobody
        + [
          "\(Self.postgres ?? "")/postgres", "-D", "\(folder)/database", "-p", "\(port)", "-c",
          "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off",
        ])
    try WaitFor.answer("the database") {
      try sandbox.run("/usr/bin/psql", Self.login(port) + ["postgres", "-c", ""]).status == 0
    }
  }

  private static func login(_ port: UInt16) -> [String] {
    ["-q", "-h", "127.0.0.1", "-p", "\(port)", "-U", "oar", "-v", "ON_ERROR_STOP=1"]
  }

  private func query(_ arguments: String...) throws {
    let done = try sandbox.run("/usr/bin/psql", Self.login(port) + arguments)
    guard done.status == 0 else { throw Failure(what: "psql: \(done.errors)") }
  }

  private func startServer() throws -> ChildProcess {
    try sandbox.start("\(commands)/Almighty", environment: environment)
  }

  deinit { stop() }

  /// Ends database and server; jobs go on.
  package func stop() {
    // It is the leader of a group, in which its parts are.
    if let server { kill(-server.pid, SIGKILL) }
    database?.signal(SIGQUIT)
    _ = try? server?.wait()
    _ = try? database?.wait()
    (server, database) = (nil, nil)
  }

  package func restart() throws {
    try startDatabase()
    server = try startServer()
  }

  /// The output of one of its commands; empty when it fails.
  @discardableResult
  package func call(_ name: String, _ arguments: String...) throws -> String {
    try sandbox.run("\(commands)/\(name)", arguments, environment: environment).output
  }

  /// Waits until the queue is as expected.
  package func awaitQueue(_ awaited: String, until isSo: ([Substring]) -> Bool) throws {
    try WaitFor.answer(awaited) {
      isSo(
        try call("oarstat", "--format", "1").split(separator: "\n")
          .filter { $0.contains("jobrun.") })
    }
  }
}
