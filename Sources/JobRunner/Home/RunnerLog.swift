import JobCore
import JobWire
import LinuxSystem

/// The runner's own log: its standard error, which whoever started it points at a file.
enum RunnerLog {
  static func write(_ sentence: String) {
    let now = WallTime(milliseconds: WallClock.now())
    StandardError.write("\(now.text) jobrund: \(SafeText.shown(sentence))\n")
  }
}
