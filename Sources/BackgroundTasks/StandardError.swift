internal import Foundation
import JobWire

/// The log of the worker: what has no other place is said here.
package enum StandardError {
  /// Writes one line, `jobrun: SENTENCE`.
  package static func say(_ sentence: String) {
    let line = "jobrun: \(SafeText.shown(sentence))\n"
    // A log that cannot be written changes nothing for the job.
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}
