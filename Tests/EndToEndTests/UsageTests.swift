import JobWire
import TestKit
import Testing

/// The figures of `jobrun usage`, compared with the kernel's for the job itself.
@Suite struct UsageTests {
  @Test func `processor time is that of the job's whole tree, within 5 %`() throws {
    let workshop = try Workshop()
    // dash(1), times: user and system time of the shell, and of its children.
    try workshop.define(
      "busy", "spin() { i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; }; spin; (spin); times")
    _ = try workshop.submit("busy")
    try workshop.waitForEnd(1)
    let log = try workshop.jobrun("log", "1").output
    let told = log.split { " \n".contains($0) }.compactMap(Self.seconds).reduce(0, +)
    let answer = try workshop.jobrun("usage", "--json").output
    guard case .object(let members) = try JSONReader.value(of: Array(answer.utf8)[...]),
      case .number(let used)? = members.first(where: { $0.name == "cpuSeconds" })?.value
    else {
      Issue.record("no object: \(answer)")
      return
    }
    // `times` counts in hundredths of a second, four of them; the shell uses little after it.
    #expect(told > 0 && abs(used - told) <= 0.05 * told + 0.04, "used \(used), the job \(told)")
  }

  @Test func `what a job has used stays its own when it is redone`() throws {
    let workshop = try Workshop()
    try workshop.define("busy", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 1")
    _ = try workshop.submit("busy")
    let first = try #require(workshop.waitForEnd(1).use.cpuSeconds)
    try workshop.define("busy", "exit 1")
    #expect(try workshop.jobrun("redo", "1").status == 0)
    let both = try #require(workshop.waitForEnd(1).use.cpuSeconds)
    #expect(first > 0.02 && both > first, "first \(first), both \(both)")
  }

  /// `0m1.250s` in seconds.
  private static func seconds(_ text: Substring) -> Double? {
    let parts = text.dropLast().split(separator: "m")
    guard text.last == "s", parts.count == 2, let minutes = Double(parts[0]),
      let seconds = Double(parts[1])
    else { return nil }
    return minutes * 60 + seconds
  }

  @Test func `nothing is used by nobody, and that is said`() throws {
    let workshop = try Workshop()
    let finished = try workshop.sandbox.run(
      "jobrun", ["usage"], environment: workshop.environment)
    #expect(finished.status == 0)
    #expect(finished.output.isEmpty)
    #expect(finished.errors.contains("nothing has ended yet"))
  }
}
