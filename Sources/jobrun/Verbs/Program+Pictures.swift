import JobClient
import JobCore
import JobWire
import LinuxSystem

// Pictures are drawn by a separate program, so that other commands need not load that code.
extension Program {
  /// Carries out `jobrun web [--port N] [--read-only] [--json]`.
  func web(_ invocation: Invocation) throws(WireError) -> Int32 {
    let port = invocation.count(.port) ?? Self.defaultPort
    guard port <= UInt16.max else {
      throw WireError(.usage, "--port is \(port); it must be 0 to 65535")
    }
    let mode = invocation.isSet(.readOnly) ? ["read-only"] : []
    throw try become(["serve", "\(port)"] + mode, invocation)
  }

  /// Carries out `jobrun report [ID …|group:NAME] [--since WHEN] [--json]`.
  func report(_ invocation: Invocation) throws(WireError) -> Int32 {
    var group: GroupName?
    for operand in invocation.operands {
      group = try operand.group()
      guard group == nil || invocation.operands.count == 1 else {
        throw WireError(
          .usage, "\(operand.text) is reported alone; write another report for other jobs")
      }
    }
    guard invocation.operands.isEmpty || group != nil || !invocation.isSet(.reportSince) else {
      throw WireError(
        .usage, "--since chooses jobs by their end; leave it out, or the numbers of jobs")
    }
    if invocation.operands.isEmpty || group != nil {
      // All that is kept of a group.
      let text = invocation.text(.reportSince) ?? (group == nil ? "24h" : nil)
      let since = try text.map { text throws(WireError) in
        try PastTime.parse(text, .start, now: Moment.present.wall, flag: .reportSince)
      }
      throw try become(
        ["report", "since", "\(since?.milliseconds ?? 0)"]
          + (group.map { ["group:\($0.text)"] } ?? []),
        invocation)
    }
    let link = try link()
    let numbers = try invocation.operands.map { operand throws(WireError) in
      "\(try job(operand, on: link).number)"
    }
    throw try become(["report"] + numbers, invocation)
  }

  /// The port of the page unless another is asked for.
  private static let defaultPort: UInt64 = 8471

  /// Returns only after a failure, with the reason.
  private func become(_ words: [String], _ invocation: Invocation) throws(WireError) -> WireError {
    data.flush()
    let program = try surroundings.installation().helper
    let problem = CurrentProcess.become(
      program, words + (invocation.isSet(.json) ? ["json"] : []))
    return WireError(.unavailable, "\(problem); install jobrun again, whole")
  }
}
