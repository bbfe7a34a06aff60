import Foundation
import TestKit
import Testing

/// A running `jobrun web`, on a separate port.
final class ServedPage {
  let process: ChildProcess
  /// With the token.
  let address: String
  let port: Int

  var origin: String { "http://127.0.0.1:\(port)" }
  var token: String { String(address.drop { $0 != "#" }.dropFirst()) }

  /// `port`: 0 takes one that is free.
  init(_ workshop: Workshop, port: Int = 0, _ flags: String...) throws {
    process = try workshop.sandbox.start(
      "jobrun", ["web", "--port", "\(port)", "--json"] + flags, environment: workshop.environment)
    let line = try process.wait(for: "}\n")
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    address = try #require(object?["address"] as? String)
    self.port = try #require(object?["port"] as? Int)
  }

  /// The response to curl: the status, headers and body.
  func ask(_ workshop: Workshop, _ path: String, _ words: String...) throws -> String {
    try workshop.sandbox.run(
      "curl", ["-s", "-i", "--max-time", "100"] + words + [origin + path]
    ).output
  }

  /// The key that the token is exchanged for.
  func key(_ workshop: Workshop) throws -> String {
    let answer = try ask(
      workshop, "/session", "-X", "POST", "-H", "Origin: \(origin)", "-H", "X-Token: \(token)")
    // A browser would send a cookie to all ports of the machine, whoever serves them.
    #expect(!answer.contains("Set-Cookie"))
    let key = try #require(answer.components(separatedBy: "\r\n").last)
    #expect(key.count == 32, "\(answer)")
    return key
  }
}

extension Workshop {
  /// A job of some steps, each released by the test.
  func defineSteps(_ name: String = "steps", count: Int = 4) throws {
    try define(
      name,
      """
      jobrun progress --total \(count)
      echo "$JOBRUN_JOB" > "$READY.$JOBRUN_JOB"
      exec 3<>"$GATE"
      for step in $(seq \(count)); do
        read -r line <&3
        jobrun progress --advance 1 --subtitle "step $step"
      done
      """)
    _ = gate
  }

  /// Releases the next step.
  func step() throws {
    try sandbox.run("sh", ["-c", "echo go > \"$0\"", gate])
  }
}
