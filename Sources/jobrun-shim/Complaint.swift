internal import JobPage
internal import LinuxSystem

/// Error messages in the engine's log of the attempt.
enum Complaint {
  static func write(_ sentence: String) {
    StandardError.write("jobrun-shim: \(PlainText.make(sentence.utf8))\n")
  }
}
