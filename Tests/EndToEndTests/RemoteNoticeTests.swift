import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Notices that curl and sendmail carry, which here are scripts that write down what they get.
@Suite struct RemoteNoticeTests {
  private let workshop: Workshop
  private let folder: String

  init() throws {
    workshop = try Workshop()
    folder = workshop.sandbox.path("programs")
    for name in ["curl", "sendmail"] {
      let text =
        "#!/bin/sh\n{ echo \"$@\"; cat; } > \(folder)/part && mv \(folder)/part \(folder)/told-\(name)\n"
      try workshop.sandbox.write(text, to: "programs/\(name)", executable: true)
    }
  }

  private func start(_ settings: String) throws {
    try Data(settings.utf8).write(
      to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let finished = try workshop.jobrun(
      "runner", "restart", environment: ["PATH": "\(folder):\(path)"])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  private func told(_ program: String) throws -> String {
    try WaitFor.file("\(folder)/told-\(program)")
    return try String(contentsOfFile: "\(folder)/told-\(program)", encoding: .utf8)
  }

  @Test func `the end of a job goes to a topic and by mail, without a desktop`() throws {
    try start(
      #"{"notify": {"desktop": false, "after": "0s", "to": ["ntfy:mytopic", "mailto:me@a.org"]}}"#)
    try workshop.jobrun("run", "--detach", "--title", "Trip", "--", "sh", "-c", "exit 3")
    let topic = try told("curl")
    #expect(topic.hasPrefix("--disable --config -\n"))
    #expect(topic.contains("url = \"https://ntfy.sh/mytopic\"\n"))
    #expect(topic.contains("Title: Trip failed"))
    let mail = try told("sendmail")
    #expect(mail.hasPrefix("-i -t\nTo: me@a.org\nSubject: Trip failed\n"))
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("on: sent to ntfy.sh, me@a.org; none here: "), "\(status)")
  }

  @Test func `a job tells something on its way`() throws {
    try start(#"{"notify": "https://hooks.example.org/x"}"#)
    let finished = try workshop.jobrun(
      "run", "--title", "Train", "--", "jobrun", "progress", "--message", "epoch 3", "--notify")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try told("curl").contains(#"\"title\":\"Train\",\"message\":\"epoch 3\""#))
  }

  @Test func `a program that fails is noted, and no job does`() throws {
    try workshop.sandbox.write("#!/bin/sh\nexit 7\n", to: "programs/curl", executable: true)
    try start(#"{"notify": {"after": "0s", "desktop": false, "to": "ntfy:t"}}"#)
    try workshop.jobrun("run", "--detach", "--", "true")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let log = workshop.sandbox.home + "/state/runner.log"
    try WaitFor.change(at: log, awaited: "the note", within: Deadline.timeout) {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      return text.contains("a notice was not sent: curl failed with exit code 7") ? true : nil
    }
  }
}
