import JobCore
import JobWire
import LinuxSystem

/// The runner's own log: its standard error, which its starter redirects to a file.
enum RunnerLog {
  static func write(_ sentence: String) {
    let now = WallTime(milliseconds: WallClock.now())
    StandardError.write("\(now.text) jobrund: \(SafeText.shown(sentence))\n")
  }

  /// Writes a sentence that the command that started this runner prints, too.
  static func tell(_ sentence: String) { write("\(Paths.noteMark) \(sentence)") }
}
