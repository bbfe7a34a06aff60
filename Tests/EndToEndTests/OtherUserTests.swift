import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Another user of the same machine.
///
/// As root, a second user (65534, nobody) really tries; without root the protection is checked instead: owners
/// and modes, as in the kernel.
@Suite struct OtherUserTests {
  private static let stranger: UInt32 = 65_534

  @Test func `what a job says and where it is reached is for its owner only`() throws {
    let workshop = try Workshop()
    try workshop.define("secret", "echo the password is swordfish")
    let job = try workshop.submit("secret")
    try workshop.waitForEnd(job.number.value)
    let home = workshop.sandbox.home
    for folder in ["state", "run", "state/logs", "state/runs"] {
      #expect(try mode("\(home)/\(folder)") == 0o700, "\(folder)")
    }
    #expect(try mode(job.log) & 0o077 == 0)
    #expect(try mode("\(home)/run/socket") == 0o600)
    guard geteuid() == 0 else { return }
    try letThrough(0o711, workshop.sandbox.root, home)
    let reading = try asStranger(workshop.sandbox, "cat", job.log)
    #expect(reading.status == 1)
    #expect(reading.errors.contains("Permission denied"))
    #expect(reading.output.isEmpty)
    #expect(try connect(workshop.sandbox) == "connect: Permission denied")
  }

  /// The modes are one lock, the check of the peer is another.
  @Test func `a stranger who reaches the socket gets no answer`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    _ = try workshop.submit("quick")
    let root = workshop.sandbox.root
    guard geteuid() == 0 else {
      // The owner gets an answer to the same request; another user would get none.
      return #expect(try ask(workshop.sandbox, []).output.contains("\"ok\""))
    }
    try letThrough(
      0o777, root, root + "/home", root + "/home/run", root + "/home/run/socket")
    #expect(try ask(workshop.sandbox, []).output.contains("\"ok\""))
    let answer = try connect(workshop.sandbox)
    #expect(!answer.contains("\"ok\"") && !answer.contains("home"), "\(answer)")
  }

  @Test func `a runtime folder that somebody planted is passed over, which the runner tells`()
    throws
  {
    let workshop = try Workshop()
    let folder = workshop.sandbox.home + "/run"
    let elsewhere = workshop.sandbox.path("elsewhere")
    let files = FileManager.default
    try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: folder, withDestinationPath: elsewhere)
    try expectPassedOver(workshop, "\(folder) is not used, as \(folder) is a symbolic link")
    #expect(try files.contentsOfDirectory(atPath: elsewhere).isEmpty)
    guard geteuid() == 0 else { return }
    try files.removeItem(atPath: folder)
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.ownerAccountID: NSNumber(value: Self.stranger)])
    try expectPassedOver(
      workshop, "\(folder) is not used, as \(folder) belongs to user \(Self.stranger)")
    #expect(try files.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can run something as another user"),
    .runsAsAnotherUser)
  func `a pause says which processes of another user it does not reach`() throws {
    let sandbox = try Sandbox()
    try letThrough(0o711, sandbox.root, sandbox.work)
    // As with sudo: it belongs to root, and becomes root entirely.
    let sudo = sandbox.path("sudo")
    try FileManager.default.copyItem(atPath: "/usr/bin/setpriv", toPath: sudo)
    try letThrough(0o4755, sudo)
    let home = sandbox.path("theirs")
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: false,
      attributes: [
        .ownerAccountID: NSNumber(value: Self.stranger), .posixPermissions: 0o700,
      ])
    let program = try BuiltProducts.path("jobrun")
    func jobrun(_ words: String...) throws -> ChildProcess.Finished {
      try sandbox.run(
        "setpriv", Self.becoming + [program] + words,
        environment: ["JOBRUN_HOME": home, "HOME": home], directory: home)
    }
    let script = "echo $$ > \(home)/new; mv \(home)/new \(home)/pid; exec sleep 100000"
    #expect(
      try jobrun(
        "run", "--detach", "--", sudo, "--reuid=0", "--regid=0", "--clear-groups", "sh", "-c",
        script
      ).status == 0)
    try WaitFor.file("\(home)/pid")
    let pid = try #require(
      Int32(try String(contentsOfFile: "\(home)/pid", encoding: .utf8).dropLast()))
    defer { _ = Glibc.kill(pid, SIGKILL) }
    // Until then there may be two processes of the other user: mv is still about to end.
    try WaitFor.answer("its sleep") {
      let shown = try sandbox.run("ps", ["-o", "stat=", "-o", "comm=", "-p", "\(pid)"]).output
      return shown.hasPrefix("S") && shown.hasSuffix(" sleep\n")
    }
    let paused = try jobrun("pause", "1")
    #expect(paused.errors.contains("job 1: process \(pid) ("), "\(paused.errors)")
    #expect(
      paused.errors.contains(
        ") belongs to another user and keeps running\n"), "\(paused.errors)")
    #expect(try jobrun("show", "1").output.contains("belongs to another user and keeps running"))
    #expect(try sandbox.run("ps", ["-o", "stat=", "-p", "\(pid)"]).output.hasPrefix("S"))
    #expect(try jobrun("resume", "1").status == 0)
    try GroupedWorkshop.settle("a job without a warning") {
      try !jobrun("show", "1").output.contains("another user")
    }
    _ = Glibc.kill(pid, SIGKILL)
    #expect(try jobrun("wait", "1").status != 0)
    #expect(try jobrun("runner", "stop").status == 0)
  }

  private func expectPassedOver(_ workshop: Workshop, _ sentence: String) throws {
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    let told = try workshop.jobrun("runner", "status").output
    let own = "\(workshop.sandbox.home)/state/run"
    #expect(told.contains("\(sentence); \(own) is used instead"), "\(told)")
    #expect(FileManager.default.fileExists(atPath: own + "/socket"))
    #expect(try workshop.jobrun("runner", "stop").status == 0)
  }

  /// Opens each path to others, as a careless owner might.
  private func letThrough(_ mode: Int, _ paths: String...) throws {
    for path in paths {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func asStranger(
    _ sandbox: Sandbox, _ words: String...
  ) throws -> ChildProcess.Finished {
    try sandbox.run("setpriv", Self.becoming + words)
  }

  private static let becoming = [
    "--reuid=\(stranger)", "--regid=\(stranger)", "--clear-groups",
  ]

  private func connect(_ sandbox: Sandbox) throws -> String {
    let finished = try ask(sandbox, ["setpriv"] + Self.becoming)
    return finished.output + finished.errors
  }

  /// Requests the runner's status from a program without code of `jobrun`.
  private func ask(_ sandbox: Sandbox, _ prefix: [String]) throws -> ChildProcess.Finished {
    let program = """
      $| = 1; $SIG{PIPE} = "IGNORE";
      socket(S, AF_UNIX, SOCK_STREAM, 0) or die;
      connect(S, sockaddr_un($ARGV[0])) or do { print "connect: $!"; exit 1 };
      syswrite(S, qq({"v":1,"id":1,"op":"status"}\\n));
      sysread(S, $line, 65536); print $line;
      """
    let words = prefix + ["perl", "-MSocket", "-e", program, sandbox.home + "/run/socket"]
    return try sandbox.run(words[0], Array(words.dropFirst()))
  }
}

extension Trait where Self == ConditionTrait {
  /// As root, another user executes what was built; without root there is none.
  static var runsAsAnotherUser: Self {
    .enabled(
      if: geteuid() != 0 || BuiltProducts.areReachableByOthers,
      "another user cannot execute what was built below a private folder")
  }
}
