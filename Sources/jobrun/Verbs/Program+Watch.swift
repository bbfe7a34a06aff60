import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun watch`; for programs it is the feed.
  func watchAll(_ invocation: Invocation) throws(WireError) -> Int32 {
    if invocation.isSet(.json) { return try feed(invocation) }
    guard data.isTerminal, !surroundings.isDumb else {
      throw WireError(
        .usage,
        "watch needs a terminal that can be drawn on; jobrun list shows the jobs once, and jobrun"
          + " feed tells programs what happens to them")
    }
    let link = try link()
    try link.connect()
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: true)
    }
    return try BoardLoop(
      link: link, input: input, terminal: data, colour: surroundings.wantsColour
    ) { (job) throws(WireError) in
      let loop = try watchLoop(job, invocation, link: link, input: input)
      _ = try loop.run()
      return loop.isDismissed
    }.run()
  }
}
