import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Pushes from the command line to the program that they wake.
@Suite struct `A push` {
  private let workshop: Workshop
  private let bundle = "org.example.workshop"

  init() throws {
    workshop = try Workshop(slots: 1)
    workshop.forgetMachine()
    try defineNews()
  }

  private func defineNews(_ more: String = "") throws {
    try workshop.define(
      "news", "echo \"$JOBRUN_PUSH as $JOBRUN_PUSHES\"; read line < \"$GATE\"",
      ", \"kind\": \"push\"\(more)")
  }

  /// For a program that a push wakes and that is to run for as long as others are sent.
  private static let patient = ", \"limit\": \"1h\""

  @discardableResult
  private func push(_ data: String) throws -> ChildProcess.Finished {
    try workshop.jobrun("push", bundle, "--data", data)
  }

  @Test func `wakes a program with its data, low and for 30 seconds, and returns at once`() throws {
    let finished = try push("{\"unread\": 3}")
    #expect(finished.status == 0)
    #expect(finished.output == "1 \(bundle).news.push\n")
    let job = try workshop.show(1)
    #expect(job.terms.kind == .push && job.terms.priority == .low)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "1").output == "{\"unread\": 3} as 1\n")
  }

  @Test func `is the only way to start its program`() throws {
    for words in [["submit", "news"], ["schedule", "news", "--earliest", "+1h"]] {
      let refused = try workshop.sandbox.run(
        "jobrun", words, environment: workshop.environment)
      #expect(refused.status == 64)
      #expect(
        refused.errors.contains(
          "news is a job that pushes start: use jobrun push \(bundle)"), "\(refused.errors)")
    }
    let help = try workshop.jobrun("help", "news").output
    #expect(help.contains("Usage: jobrun push \(bundle) [--data JSON]"), "\(help)")
  }

  @Test func `of a hundred in a row two wake it: the first, and the newest with their number`()
    throws
  {
    try defineNews(Self.patient)
    try push("0")
    try workshop.feed(until: "started", of: 1)
    let script = "for i in $(seq 99); do \"$0\" push \(bundle) --data $i || exit 1; done"
    let burst = try workshop.sandbox.run(
      "sh", ["-c", script, try BuiltProducts.path("jobrun")],
      environment: workshop.environment, within: Deadline.timeout)
    #expect(burst.status == 0, "\(burst.errors.suffix(300))")
    #expect(try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n").count == 2)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "2").output == "99 as 99\n")
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("2 accepted, 98 merged, 0 dropped"), "\(status)")
  }

  @Test(arguments: ["app-probe", "delegate-probe"])
  func `reaches the handler that an app has declared, or its delegate`(program: String) throws {
    try workshop.sandbox.write(#"{"identifier": "org.example.app"}"#, to: "app/bundle.json")
    try workshop.sandbox.write(
      #"{"identifier": "org.example.app.news", "kind": "push", "command": ["probe"]}"#,
      to: "app/news/job.json")
    try workshop.sandbox.copyExecutable(program, to: "app/news/probe")
    let folder = workshop.sandbox.path("app")
    let finished = try workshop.jobrun(
      "push", "org.example.app", "--jobs", folder, "--data", "{\"unread\":3}")
    #expect(finished.output == "1 org.example.app.news\n", "\(finished)")
    let job = try workshop.waitForEnd(1)
    let log = try workshop.jobrun("log", "1").output
    #expect(job.outcome == .succeeded, "\(log)")
    #expect(log.contains("unread 3\n"), "\(log)")
  }

  private static let plist = """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>org.example.app</string>
    <key>CFBundleName</key><string>News</string>
    <key>CFBundleExecutable</key><string>News</string>
    <key>UIBackgroundModes</key><array><string>remote-notification</string></array>
    </dict></plist>
    """

  @Test func `reaches an app that has an Info.plist only, once it is registered`() throws {
    try workshop.sandbox.write(Self.plist, to: "app/Info.plist")
    try workshop.sandbox.copyExecutable("delegate-probe", to: "app/News")
    #expect(try workshop.jobrun("push", "org.example.app").status == 66)
    let folder = workshop.sandbox.path("app")
    let registered = try workshop.jobrun("register", folder)
    #expect(registered.errors == "\(folder) is registered: remote-notification\n")
    try workshop.jobrun("push", "org.example.app", "--data", "{\"unread\":3}")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .succeeded && job.title == "News")
    #expect(try workshop.jobrun("log", "1").output.contains("unread 3\n"))
  }

  @Test func `reaches an app that registers itself, which hears of it or why not`() throws {
    try workshop.sandbox.write(Self.plist, to: "app/Info.plist")
    let app = try workshop.sandbox.copyExecutable("delegate-probe", to: "app/News")
    func visit() throws -> String {
      let program = try workshop.sandbox.start(
        app, environment: workshop.environment.merging(["PROBE_PUSHES": "1"]) { $1 })
      try program.wait(for: "pushes")
      program.signal(SIGTERM)
      return try program.wait().output
    }
    #expect(try visit().contains("pushes for org.example.app\n"))
    try workshop.jobrun("push", "org.example.app", "--data", "{\"unread\":4}")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "1").output.contains("unread 4\n"))
    try workshop.sandbox.write(
      Self.plist.replacing("remote-notification", with: "fetch"), to: "app/Info.plist")
    #expect(try visit().contains("no pushes: no push can start this program"))
  }

  @Test(arguments: [
    ("remote-notification", "fetch", "do not contain \"remote-notification\""),
    (
      "<key>CFBundleExecutable</key><string>News</string>", "",
      "CFBundleExecutable must be the name of the executable"
    ),
    (
      "News</string>\n<key>UI", "$(EXECUTABLE_NAME)</string>\n<key>UI", "CFBundleExecutable must be"
    ),
    ("<array>", "<array", "Info.plist:"),
  ])
  func `an app that no push can start is not registered, with what to change`(
    part: String, other: String, sentence: String
  ) throws {
    try workshop.sandbox.write(Self.plist.replacing(part, with: other), to: "app/Info.plist")
    let refused = try workshop.jobrun("register", workshop.sandbox.path("app"))
    #expect(refused.status == 64)
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(refused.errors.contains("nothing was registered"), "\(refused.errors)")
    #expect(try workshop.jobrun("push", "org.example.app").status == 66)
  }

  @Test func `that a runner has taken in survives its death`() throws {
    try workshop.defineGated("work")
    _ = try workshop.submit("work")
    try workshop.awaitReady(1)
    try push("1")
    try push("{\"new\":2}")
    let runner = try Int32(#require(workshop.jobrun("runner", "status", "--json").output.runnerPID))
    kill(try #require(runner), SIGKILL)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "2").output == "{\"new\":2} as 2\n")
  }

  @Test func `for a bundle that is switched off is dropped, with its reason in the feed`() throws {
    try workshop.jobrun("settings", "set", bundle, "background=no")
    let feed = try workshop.start("feed", "--since", "0")
    // It starts to listen after a request.
    try workshop.jobrun("run", "--", "true")
    try feed.wait(for: "\"event\":\"ended\"")
    let refused = try push("1")
    #expect(refused.status == 69)
    #expect(refused.errors.contains("background work of \(bundle) is switched off"))
    let told = try feed.wait(for: "\"event\":\"dropped\"")
    #expect(told.contains("\"identifier\":\"\(bundle).news.push\",\"code\":\"unavailable\""))
    feed.signal(2)
    _ = try feed.wait()
  }

  @Test func `comes from a server, which is asked for what was not told yet when it is back`()
    throws
  {
    let asked = workshop.sandbox.path("asked")
    let server = try FileServer { request, number in
      var answer = FileServer.Answer(fields: ["Content-Type": "text/event-stream"])
      switch number {
      case 0:
        answer.fields["Content-Type"] = "text/html"
        answer.body = Array("data: 1\n\n".utf8)
      case 1:
        answer.body = Array("id: 7\ndata: {\"unread\": 4}\n\nrubbish: 1\ndata: none\n\n".utf8)
      default:
        let last = request.fields["last-event-id"] ?? "none"
        try? Data("\(last) \(request.fields["accept"] ?? "")\n".utf8)
          .write(to: URL(fileURLWithPath: asked))
        answer.body = Array(": still here\n\n.".utf8)
        answer.sent = answer.body.count - 1
        answer.isHeld = true
      }
      return answer
    }
    let (folder, told) = (workshop.sandbox.path("app"), workshop.sandbox.path("told"))
    try workshop.sandbox.write(#"{"identifier": "org.example.app"}"#, to: "app/bundle.json")
    try workshop.sandbox.write(
      """
      {"identifier": "org.example.app.news", "kind": "push",
        "command": ["sh", "-c", "echo $JOBRUN_PUSH >>'\(told)'"],
        "subscribe": "\(server.address("news"))"}
      """, to: "app/news/job.json")
    #expect(try workshop.jobrun("register", folder).status == 0)
    // The runner listens as long as it lives.
    #expect(try workshop.jobrun("list").status == 0)
    try WaitFor.file(asked, contains: "7 text/event-stream\n")
    try WaitFor.file(told, contains: "{\"unread\": 4}\n")
    try GroupedWorkshop.settle("a stream that is open, after what was none") {
      let status = try workshop.jobrun("runner", "status").output
      return status.contains("1 of 1 streams open") && status.contains("invalid")
    }
    _ = try workshop.waitForEnd(1)
    #expect(try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n").count == 1)
  }

  @Test func `goes on to come when settings change, and from what is registered meanwhile`() throws
  {
    let server = try FileServer { _, _ in
      var answer = FileServer.Answer(fields: ["Content-Type": "text/event-stream"])
      answer.body = Array(": here\n\n.".utf8)
      answer.sent = answer.body.count - 1
      answer.isHeld = true
      return answer
    }
    func register(_ app: String, subscribes: Bool = true) throws {
      let identifier = "org.example.\(app)"
      try workshop.sandbox.write("{\"identifier\": \"\(identifier)\"}", to: "\(app)/bundle.json")
      try workshop.sandbox.write(
        """
        {"identifier": "\(identifier).news", "kind": "push", "command": ["true"]
          \(subscribes ? ", \"subscribe\": \"\(server.address(app))\"" : "")}
        """, to: "\(app)/news/job.json")
      #expect(try workshop.jobrun("register", workshop.sandbox.path(app)).status == 0)
      #expect(try workshop.jobrun("list").status == 0)
    }
    func settle(_ count: String) throws {
      try GroupedWorkshop.settle("\(count) streams open") {
        try workshop.jobrun("runner", "status").output.contains("\(count) streams open")
      }
    }
    try register("first")
    try settle("1 of 1")
    try workshop.jobrun("settings", "set", bundle, "slots=1")
    try register("second")
    try settle("2 of 2")
    #expect(server.requests.map(\.path) == ["/first", "/second"])
    try register("first", subscribes: false)
    try settle("1 of 1")
    #expect(server.requests.count == 2)
  }

  @Test func `of a thousand at once from a server two wake it, the second with the newest`() throws
  {
    let events = (1...1000).map { "data: \($0)\n\n" }.joined()
    let server = try FileServer { _, _ in
      var answer = FileServer.Answer(
        fields: ["Content-Type": "text/event-stream"], body: Array((events + ".").utf8))
      (answer.sent, answer.isHeld) = (events.utf8.count, true)
      return answer
    }
    try workshop.define(
      "burst", "echo \"$JOBRUN_PUSH as $JOBRUN_PUSHES\"; read line < \"$GATE\"",
      ", \"kind\": \"push\", \"subscribe\": \"\(server.address("burst"))\"" + Self.patient)
    #expect(try workshop.jobrun("register", workshop.sandbox.path("jobs")).status == 0)
    #expect(try workshop.jobrun("list").status == 0)
    // Those that have come are merged a few at a time.
    try GroupedWorkshop.settle("a thousand pushes, merged") {
      try workshop.jobrun("runner", "status").output.contains("998 merged")
    }
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "2").output.hasPrefix("1000 as "))
    #expect(try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n").count == 2)
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("2 accepted, 998 merged, 0 dropped"), "\(status)")
  }

  @Test func `comes a few at a time from a server that sends without end`() throws {
    let events = Array(String(repeating: "data: 1\n\n", count: 400_000).utf8)
    let server = try FileServer { _, _ in
      FileServer.Answer(fields: ["Content-Type": "text/event-stream"], body: events)
    }
    try workshop.define(
      "flood", "true", ", \"kind\": \"push\", \"subscribe\": \"\(server.address("flood"))\"")
    var asked = ContinuousClock.now
    #expect(try workshop.jobrun("register", workshop.sandbox.path("jobs")).status == 0)
    #expect(try workshop.jobrun("list").status == 0)
    var (status, before) = ("", asked)
    try GroupedWorkshop.settle("the first events") {
      (before, asked) = (asked, ContinuousClock.now)
      status = try workshop.jobrun("runner", "status").output
      return status.contains(/[1-9][0-9]* events/)
    }
    // Read at full speed, thousands are merged before other work has its turn; else there are at
    // most 250 a second since there was none.
    let seconds = Int((ContinuousClock.now - before).components.seconds)
    let merged = try #require(status.firstMatch(of: /([0-9]+) merged/).flatMap { Int($0.1) })
    #expect(merged < 1_000 + 250 * seconds, "\(status)")
  }

  @Test func `that makes no sense is refused in one sentence`() throws {
    let unknown = try workshop.jobrun("push", "org.example.workshops")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("there is no bundle org.example.workshops; did you mean"))
    let other = try workshop.jobrun("push", "io.jobrun.samples")
    #expect(other.status == 66 && other.errors.contains("has no job that pushes wake"))
    #expect(try workshop.jobrun("push", "no dots").status == 64)
    let text = try push("unread")
    #expect(text.status == 64 && text.errors.contains("the data of the push is not JSON"))
    let large = "\"" + String(repeating: "x", count: 5_000_000) + "\""
    try workshop.sandbox.write(large, to: "large")
    let shell = "\"$0\" push \(bundle) --data - < \"$1\""
    let sent = try workshop.sandbox.run(
      "sh", ["-c", shell, try BuiltProducts.path("jobrun"), workshop.sandbox.path("large")],
      environment: workshop.environment, within: Deadline.timeout)
    #expect(sent.status == 64 && sent.errors.contains("65536"), "\(sent)")
    #expect(try workshop.jobrun("list", "--all").output.isEmpty)
  }
}

extension String {
  /// The number behind `"pid":`.
  fileprivate var runnerPID: String? {
    components(separatedBy: "\"pid\":").dropFirst().first.map { String($0.prefix { $0.isNumber }) }
  }
}
