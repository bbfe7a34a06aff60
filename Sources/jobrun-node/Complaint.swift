internal import JobPage
internal import LinuxSystem

/// What is wrong, for whoever reads the engine's own log of the attempt.
enum Complaint {
  static func write(_ sentence: String) {
    StandardError.write("jobrun-node: \(PlainText.make(sentence.utf8))\n")
  }
}
