import LinuxSystem

/// The runner's own log: its standard error, which whoever started it points at a file.
enum RunnerLog {
  static func write(_ sentence: String) {
    StandardError.write("jobrund: \(sentence)\n")
  }
}
