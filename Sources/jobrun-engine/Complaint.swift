internal import JobWire
internal import LinuxSystem

/// Error messages on the helper's standard error.
enum Complaint {
  static func write(_ sentence: String) {
    StandardError.write("jobrun-engine: \(SafeText.shown(sentence))\n")
  }
}
