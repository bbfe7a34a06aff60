internal import Foundation
import JobWire

/// The log of the worker, for messages without another place.
package enum StandardError {
  /// Writes one line, `jobrun: SENTENCE`.
  package static func say(_ sentence: String) {
    let line = "jobrun: \(SafeText.shown(sentence))\n"
    // A failed write to the log does not affect the job.
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}
