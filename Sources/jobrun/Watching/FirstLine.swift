import JobCore
import JobWire
import LinuxSystem

/// What is said on a terminal when a job has been accepted, before its live line: which one it is, how
/// to leave it, and how to cancel it.
enum FirstLine {
  /// `job 3 started · d leaves it running · Ctrl-C cancels it`, or less of it in fewer columns.
  ///
  /// `explains`: nobody has been told on this terminal; `hasKeys`: whether `d` can be typed.
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

/// Whether the person at a terminal has been told already how a job is left.
///
/// A file in the runtime folder for each terminal holds the session that was told: a terminal of the same
/// name is another one in another session.
struct GreetedTerminal {
  private let path: String

  /// Nil without a runtime folder, or where there is no terminal.
  init?(of number: Int32, in runtime: String?) {
    guard let runtime, let device = Terminal.name(number) else { return nil }
    path = runtime + "/told" + device.map { $0 == "/" ? "." : $0 }
  }

  /// Takes note that it is told now; whether it was before.
  func greet() -> Bool {
    let session = Array("\(Terminal.session)\n".utf8)
    if (try? File.readAll(path)) == session { return true }
    // Who cannot be remembered is told again.
    try? File.writeAtomically(session, to: path)
    return false
  }
}
