import JobClient
import JobCore
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
    let lookedAt = Self.lookedAt(in: link.paths)
    let screen = BoardScreen(
      terminal: data, colour: surroundings.wantsColour, lookedAt: lookedAt)
    let code = try LiveLoop(screen, link: link, input: input).run()
    // If this fails, failures are marked as new once more.
    try? File.writeAtomically(
      Array("\(WallClock.now())\n".utf8), to: Self.lookedAtFile(in: link.paths))
    return code
  }

  /// When `jobrun watch` was left last, in milliseconds.
  private static func lookedAtFile(in paths: Paths) -> String {
    paths.stateDirectory + "/watched"
  }

  private static func lookedAt(in paths: Paths) -> WallTime? {
    guard let bytes = try? File.readAll(lookedAtFile(in: paths), limit: 64) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber }
    return Int64(text).map { WallTime(milliseconds: $0) }
  }
}
