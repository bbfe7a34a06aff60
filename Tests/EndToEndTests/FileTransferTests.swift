import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Files that are sent to a host before a job, and fetched after it.
///
/// The host is this machine with another home folder; the job's folder is `project` below both.
@Suite struct FileTransferTests {
  private let ssh: SSHWorkshop

  init() throws {
    guard SSHServer.isInstalled, SSHWorkshop.hasRsync else {
      try Test.cancel("no sshd or rsync is installed (Debian: apt install openssh-server rsync)")
    }
    ssh = try SSHWorkshop(["there"])
  }

  private var workshop: Workshop { ssh.workshop }
  private var here: String { workshop.sandbox.path("project") }
  private var there: String { "\(ssh.server.account)/project" }
  private var ran: String { workshop.sandbox.path("ran") }

  /// While this file is there, a slow rsync does not begin.
  private var held: String { workshop.sandbox.path("held") }
  /// From then on it is not slow.
  private var hurried: String { workshop.sandbox.path("hurried") }

  /// With a slow rsync: it copies half a MB a second, so that no copy ends while a test is held up.
  private func slow() throws -> [String: String] {
    let path = try workshop.path(overriding: [
      "rsync": """
      while [ -e '\(held)' ]; do sleep 0.05; done
      [ -e '\(hurried)' ] || set -- --bwlimit=500 "$@"
      exec /usr/bin/rsync "$@"
      """
    ])["PATH"]
    return ["PATH": ssh.server.programs + ":" + (path ?? "")]
  }

  /// Lets a slow rsync begin that is held, and be quick.
  private func letGo() throws {
    try workshop.sandbox.write("", to: "hurried")
    try FileManager.default.removeItem(atPath: held)
  }

  /// Waits until a MB of a file has arrived in a folder; the process that copies it.
  private func awaitPart(of name: String, in folder: String) throws -> Int32 {
    try WaitFor.change(
      at: "\(folder)/\(name)", awaited: "a part of \(name)", within: Deadline.timeout
    ) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.contains { part in
        let file = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(part)")
        return part.hasPrefix(".\(name).") && file?[.size] as? Int ?? 0 > 1_000_000
      } ? true : nil
    }
    return try #require(try workshop.children(named: "rsync").first)
  }

  /// Some MB that cannot be compressed, in the job's folder.
  private func makeLarge(_ megabytes: Int) throws -> Data {
    var random = SeededGenerator(seed: 3)
    let words = (0..<megabytes * 125_000).map { _ in UInt64.random(in: 0...(.max), using: &random) }
    let data = unsafe words.withUnsafeBytes { unsafe Data($0) }
    try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: "\(here)/large"))
    return data
  }

  @Test func `they are there before it begins, in its folder, and what it made comes back`() throws
  {
    try workshop.sandbox.write("1\n2\n", to: "project/data/in: 1")
    try workshop.sandbox.write("not sent", to: "project/other")
    let ran = try workshop.jobrun(
      "run", "--on", "there", "--cwd", "project", "--send", "data/", "--fetch", "\(here)/out", "--",
      "sh", "-c", "pwd; ls; mkdir out && wc -l < 'data/in: 1' > 'out/a count'",
      environment: ssh.environment)
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try workshop.jobrun("log", "1").output == "\(there)\ndata\n")
    let count = try String(contentsOfFile: "\(here)/out/a count", encoding: .utf8)
    #expect(count == "2\n")
  }

  @Test func `what means something to a shell, to ssh or to rsync is only a name`() throws {
    let names = [
      "-e", "--delete", "a:b", "::c", "*", "$(touch owned)", "`touch owned`", "o'\"\\ne", "~", "#1",
      "new\nline", "ümlaut", ".hidden",
    ]
    for name in names { try workshop.sandbox.write("of \(name)", to: "project/\(name)") }
    try workshop.sandbox.write("#!/bin/sh\n", to: "project/program", executable: true)
    // A link stays one, wherever it leads.
    try workshop.sandbox.write("", to: "project/folder/empty")
    try FileManager.default.createSymbolicLink(
      atPath: "\(here)/folder/link", withDestinationPath: "/nowhere/at all")
    let all = names + ["program", "folder"]
    let script =
      "mkdir back && cp -a -- .[!.]* * back/ 2>/dev/null; rm -rf back/back; test -x program"
    let ran = try workshop.sandbox.run(
      "jobrun",
      ["run", "--on", "there", "--cwd", "project"] + all.map { "--send=\($0)" }
        + ["--fetch=back", "--", "sh", "-c", script],
      environment: workshop.environment.merging(ssh.environment) { $1 })
    #expect(ran.status == 0, "\(ran.errors)")
    let back = try FileManager.default.contentsOfDirectory(atPath: "\(here)/back")
    #expect(Set(back) == Set(all))
    for name in names {
      #expect(try String(contentsOfFile: "\(here)/back/\(name)", encoding: .utf8) == "of \(name)")
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(here)/back/folder/link")
        == "/nowhere/at all")
    #expect(!FileManager.default.fileExists(atPath: "\(there)/owned"))
  }

  @Test func `each attempt begins with what was sent, and what a failed one wrote stays there`()
    throws
  {
    try workshop.sandbox.write("whole\n", to: "project/data")
    let script = "cat data; echo half > out; rm data; echo changed > data; exit 3"
    let ran = try workshop.jobrun(
      "run", "--on", "there", "--cwd", "project", "--send", "data", "--fetch", "out", "--retries",
      "1:0s", "--plain", "--", "sh", "-c", script, environment: ssh.environment)
    #expect(ran.status == 3)
    let log = try workshop.jobrun("log", "1").output
    #expect(log.hasPrefix("whole\n") && log.hasSuffix("\nwhole\n"), "\(log)")
    #expect(!FileManager.default.fileExists(atPath: "\(here)/out"))
    #expect(try String(contentsOfFile: "\(there)/out", encoding: .utf8) == "half\n")
  }

  @Test func `what is there already is not sent again`() throws {
    try workshop.sandbox.write("x", to: "project/data")
    func send() throws -> UInt64? {
      let ran = try workshop.jobrun(
        "run", "--on", "there", "--cwd", "project", "--send", "data", "--", "true",
        environment: ssh.environment)
      #expect(ran.status == 0, "\(ran.errors)")
      let file = try FileManager.default.attributesOfItem(atPath: "\(there)/data")
      return file[.systemFileNumber] as? UInt64
    }
    #expect(try send() == send())
  }

  @Test func `a job that is cancelled while they are fetched is cancelled, and nothing is left`()
    throws
  {
    try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
    try workshop.jobrun(
      "run", "--detach", "--on", "there", "--cwd", "project", "--fetch", "out", "--", "sh", "-c",
      "head -c 16000000 /dev/urandom > out", environment: try slow())
    let rsync = try awaitPart(of: "out", in: here)
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    try WaitFor.end(ofProcess: rsync)
    #expect(!FileManager.default.fileExists(atPath: "\(here)/out"))
    #expect(FileManager.default.fileExists(atPath: "\(there)/out"))
  }

  @Test func `a cut copy says how far it is and goes on where it was, and the job begins once`()
    throws
  {
    let large = try makeLarge(16)
    let feed = try workshop.start(
      "run", "--on", "there", "--cwd", "project", "--send", "large", "--json", "--", "sh", "-c",
      "echo x >> '\(ran)'", environment: try slow())
    let rsync = try awaitPart(of: "large", in: there)
    // That is told every few seconds.
    _ = try feed.wait(for: "/16.0 MB")
    // The next try must find what this one leaves, and is not to end before that was looked at.
    try workshop.sandbox.write("", to: "held")
    for pid in Workshop.children(of: rsync, named: "ssh") { kill(pid, SIGKILL) }
    _ = try feed.wait(for: "its files are not sent yet: ")
    // Nothing that is half done counts as done.
    #expect(!FileManager.default.fileExists(atPath: "\(there)/large"))
    // The other end may notice the cut after this one.
    let kept = "\(there)/.jobrun-partial/large"
    let part = try WaitFor.change(at: kept, awaited: "the part", within: Deadline.timeout) {
      try? Data(contentsOf: URL(fileURLWithPath: kept))
    }
    #expect(part.count > 1_000_000 && part == large.prefix(part.count))
    try letGo()
    let told = try feed.wait()
    #expect(told.status == 0, "\(told.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(there)/large")) == large)
    #expect(!FileManager.default.fileExists(atPath: "\(there)/.jobrun-partial"))
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "x\n")
  }

  @Test func `a job that is cancelled while they are sent never begins, nor does a copy go on`()
    throws
  {
    _ = try makeLarge(16)
    let feed = try workshop.start(
      "run", "--on", "there", "--cwd", "project", "--send", "large", "--json", "--", "sh", "-c",
      "echo x >> '\(ran)'", environment: try slow())
    let rsync = try awaitPart(of: "large", in: there)
    try workshop.jobrun("cancel", "1")
    #expect(try feed.wait().status == 130)
    try WaitFor.end(ofProcess: rsync)
    #expect(!FileManager.default.fileExists(atPath: ran))
    #expect(!FileManager.default.fileExists(atPath: "\(there)/large"))
  }

  @Test func `a runner that is killed while they are sent leaves that to the next one, too`() throws
  {
    let large = try makeLarge(16)
    try workshop.jobrun(
      "run", "--detach", "--on", "there", "--cwd", "project", "--send", "large", "--", "sh", "-c",
      "echo x >> '\(ran)'", environment: try slow())
    let rsync = try awaitPart(of: "large", in: there)
    try workshop.killRunner()
    try WaitFor.end(ofProcess: rsync)
    try workshop.jobrun("list", environment: ssh.environment)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(there)/large")) == large)
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "x\n")
  }

  @Test func `a runner that is killed while they are fetched leaves that to the next one`() throws {
    let script = "echo x >> '\(ran)'; head -c 16000000 /dev/urandom > out"
    try workshop.sandbox.write("x", to: "project/data")
    try workshop.jobrun(
      "run", "--detach", "--on", "there", "--cwd", "project", "--send", "data", "--fetch", "out",
      "--", "sh", "-c", script, environment: try slow())
    let rsync = try awaitPart(of: "out", in: here)
    // That is told every few seconds.
    try WaitFor.answer("how far it is") {
      let warning = try workshop.show(1).warning ?? ""
      return warning.hasPrefix("fetching ") && warning.hasSuffix("/16.0 MB")
    }
    try workshop.killRunner()
    try WaitFor.end(ofProcess: rsync)
    #expect(!FileManager.default.fileExists(atPath: "\(here)/out"))
    try workshop.jobrun("list", environment: ssh.environment)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let fetched = try Data(contentsOf: URL(fileURLWithPath: "\(here)/out"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(there)/out")) == fetched)
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "x\n")
  }

  @Test func `the time of fetching counts towards no limit, under a later runner neither`() throws {
    try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
    let environment = try slow()
    try workshop.jobrun(
      "run", "--detach", "--on", "there", "--cwd", "project", "--limit", "8s", "--fetch", "out",
      "--", "sh", "-c", "head -c 16000000 /dev/urandom > out", environment: environment)
    let rsync = try awaitPart(of: "out", in: here)
    #expect(try workshop.show(1).state == .running)
    try workshop.killRunner()
    try WaitFor.end(ofProcess: rsync)
    try workshop.sandbox.write("", to: "held")
    try workshop.jobrun("list", environment: environment)
    try WaitFor.answer("the later runner's rsync") {
      try workshop.show(1).state == .running && !workshop.children(named: "rsync").isEmpty
    }
    // More than the limit, all of it under the later runner.
    #expect(try workshop.sandbox.run("sleep", ["8.5"]).status == 0)
    #expect(try workshop.show(1).state == .running)
    try letGo()
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .succeeded, "\(String(describing: ended.stopReason))")
  }

  @Test func `a definition says what travels, a flag says otherwise, and here it all stays`() throws
  {
    try workshop.define(
      "train", "cat data && echo made > out", #", "send": ["data"], "fetch": ["out"]"#)
    try workshop.sandbox.write("sent\n", to: "project/data")
    func submit(_ flags: [String]) throws -> ChildProcess.Finished {
      try workshop.sandbox.run(
        "jobrun", ["submit", "train", "--cwd", "project"] + flags,
        environment: workshop.environment.merging(ssh.environment) { $1 })
    }
    #expect(try submit(["--on", "there"]).status == 0)
    #expect(try workshop.jobrun("log", "1").output == "sent\n")
    #expect(try String(contentsOfFile: "\(here)/out", encoding: .utf8) == "made\n")
    let shown = try workshop.show(1).terms
    #expect(shown.send == ["data"] && shown.fetch == ["out"])
    let facts = try workshop.jobrun("show", "1").output
    #expect(facts.contains("sends") && facts.contains("fetches"), "\(facts)")
    #expect(try submit(["--on", "there", "--fetch", "data"]).status == 0)
    #expect(try workshop.show(2).terms.fetch == ["data"])
    #expect(try submit(["--on", "here"]).status == 0)
    #expect(try workshop.show(3).terms.send == [])
    // A flag that cannot be kept is not ignored.
    for place in [["--on", "here"], []] {
      let refused = try submit(place + ["--fetch", "out"])
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.errors.contains("for a job on another machine only"), "\(refused.errors)")
    }
    // Missing is only what would be sent.
    try FileManager.default.removeItem(atPath: "\(here)/data")
    let refused = try submit(["--on", "there"])
    #expect(refused.status == 66)
    #expect(refused.errors.contains("\"send\" of its job.json is \"data\""), "\(refused.errors)")
  }

  @Test func `what a job has not made cannot be fetched, and says so`() throws {
    let ran = try workshop.jobrun(
      "run", "--on", "there", "--fetch", "out", "--", "true", environment: ssh.environment)
    #expect(ran.status == 76)
    #expect(ran.errors.contains("it succeeded on there, where its files stay: "), "\(ran.errors)")
    #expect(ran.errors.contains("No such file"), "\(ran.errors)")
  }

  @Test(arguments: [
    (["--on", "there", "--send", "nope"], 66, "--send is \"nope\", and "),
    (["--on", "there", "--send", "../x"], 64, "is not below the job's folder"),
    (["--on", "there", "--fetch", "/etc/x"], 64, "is not below the job's folder"),
    (["--send", "."], 64, "for a job on another machine only; add --on"),
    (["--on", "port", "--send", "."], 69, "rsync takes no address like \"ssh://there:22\""),
    (["--on", "cluster", "--send", "."], 69, "the nodes of \"cluster\" share a folder"),
  ])
  func `what cannot be sent or fetched is refused before anything is accepted`(
    _ flags: [String], _ code: Int32, _ sentence: String
  ) throws {
    try Data(
      """
      {"engines": {"there": {"kind": "host", "through": "there"},
        "port": {"kind": "host", "through": "ssh://there:22"},
        "cluster": {"kind": "slurm", "folder": "\(workshop.sandbox.path("shared"))"}}}
      """.utf8
    ).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    let refused = try workshop.sandbox.run(
      "jobrun", ["run"] + flags + ["--", "true"],
      environment: workshop.environment.merging(ssh.environment) { $1 })
    #expect(refused.status == code, "\(refused)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(try workshop.jobrun("list", "--all").output == "")
  }

  @Test func `a machine without rsync is told, and its job is refused`() throws {
    try workshop.sandbox.write("x", to: "project/data")
    try FileManager.default.createDirectory(
      atPath: workshop.sandbox.path("most"), withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin")
    where name != "rsync" {
      try FileManager.default.createSymbolicLink(
        atPath: workshop.sandbox.path("most/\(name)"), withDestinationPath: "/usr/bin/\(name)")
    }
    let path = ssh.server.programs + ":" + workshop.sandbox.path("most")
    let refused = try workshop.jobrun(
      "run", "--on", "there", "--cwd", "project", "--send", "data", "--", "true",
      environment: ["PATH": path])
    #expect(refused.status == 69, "\(refused)")
    #expect(
      refused.errors.contains("there is no rsync on this machine; install it"), "\(refused.errors)")
  }

  @Test func `a host without rsync is told with that word`() throws {
    try workshop.sandbox.write("x", to: "project/data")
    let path = try workshop.path(overriding: [
      "rsync": "exec /usr/bin/rsync --rsync-path=/nowhere/rsync \"$@\""
    ])["PATH"]
    let refused = try workshop.jobrun(
      "run", "--on", "there", "--cwd", "project", "--send", "data", "--", "true",
      environment: ["PATH": ssh.server.programs + ":" + (path ?? "")])
    #expect(refused.status == 69)
    #expect(refused.errors.contains("there is no rsync on there; install it"), "\(refused.errors)")
  }
}
