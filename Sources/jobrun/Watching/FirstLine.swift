import JobCore
import JobWire
import LinuxSystem

/// The line on a terminal for an accepted job, before its live line: its number, how to leave it, and how to
/// cancel it.
enum FirstLine {
  /// `job 3 started · d leaves it running · Ctrl-C cancels it`, shortened for fewer columns.
  ///
  /// `explains`: the keys were not explained on this terminal yet; `hasKeys`: whether `d` can be typed.
  static func text(_ job: JobStatus, explains: Bool, hasKeys: Bool, width: Int) -> String {
    let waits = job.state == .queued
    let start = "job \(job.number) \(waits ? "waits" : "started")"
    guard explains else { return start }
    let forms =
      hasKeys
      ? [
        " · d leaves it \(waits ? "waiting" : "running") · Ctrl-C cancels it",
        " · d leaves it · Ctrl-C cancels",
        " · d leaves",
      ]
      : [" · Ctrl-C cancels it"]
    return start + (forms.first { TextWidth.of(start + $0) <= width } ?? "")
  }
}

/// Whether the keys were already explained on a terminal.
///
/// A file in the runtime folder for each terminal contains the session: the terminal of the same name in
/// another session is a different one.
struct GreetedTerminal {
  private let path: String

  /// Nil without a runtime folder, or where there is no terminal.
  init?(of number: Int32, in runtime: String?) {
    guard let runtime, let device = Terminal.name(number) else { return nil }
    path = runtime + "/told" + device.map { $0 == "/" ? "." : $0 }
  }

  /// Marks the terminal as informed; returns whether it was before.
  func greet() -> Bool {
    let session = Array("\(Terminal.session)\n".utf8)
    if (try? File.readAll(path)) == session { return true }
    // If this fails, the explanation is repeated.
    try? File.writeAtomically(session, to: path)
    return false
  }
}
