import JobClient
import JobCore
import JobWire
import LinuxSystem

// Pictures are another program's: what only draws is nothing that every command has to carry.
extension Program {
  /// Carries out `jobrun web [--port N] [--read-only] [--json]`.
  func web(_ invocation: Invocation) throws(WireError) -> Int32 {
    let port = invocation.count(.port) ?? Self.usualPort
    guard port <= UInt16.max else {
      throw WireError(.usage, "--port is \(port); it must be 0 to 65535")
    }
    let mode = invocation.isSet(.readOnly) ? ["read-only"] : []
    throw try become(["serve", "\(port)"] + mode, invocation)
  }

  /// Carries out `jobrun report [ID …] [--since WHEN] [--json]`.
  func report(_ invocation: Invocation) throws(WireError) -> Int32 {
    guard invocation.operands.isEmpty || !invocation.isSet(.reportSince) else {
      throw WireError(
        .usage, "--since chooses jobs by their end; leave it out, or the numbers of jobs")
    }
    if invocation.operands.isEmpty {
      let now = Moment.present.wall
      let since = try PastTime.parse(
        invocation.text(.reportSince) ?? "24h", .start, now: now, flag: .reportSince)
      throw try become(["report", "since", "\(since.milliseconds)"], invocation)
    }
    let link = try link()
    let numbers = try invocation.operands.map { operand throws(WireError) in
      "\(try job(operand, on: link).number)"
    }
    throw try become(["report"] + numbers, invocation)
  }

  /// The port of the page unless another is asked for.
  private static let usualPort: UInt64 = 8471

  /// Only comes back with the reason why it could not.
  private func become(_ words: [String], _ invocation: Invocation) throws(WireError) -> WireError {
    data.flush()
    let program = try surroundings.installation().web
    let problem = CurrentProcess.become(
      program, words + (invocation.isSet(.json) ? ["json"] : []))
    return WireError(.unavailable, "\(problem); install jobrun again, whole")
  }
}
