import Foundation
import JobCore
import JobRecognition

/// The output of a real program, recorded by `Fixtures/record.sh`.
struct Fixture {
  let bytes: [UInt8]

  init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    bytes = Array(try Data(contentsOf: folder.appending(path: "Fixtures").appending(path: name)))
  }

  /// Everything that is found while it arrives in pieces of `step` bytes, without repetitions.
  func findings(step: Int, by recogniser: OutputRecogniser = OutputRecogniser()) -> [Finding] {
    var recogniser = recogniser
    var found: [Finding] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      recogniser.read(
        bytes[start..<min(start + step, bytes.count)], at: Instant(nanoseconds: UInt64(start)))
      if let finding = recogniser.finding, finding != found.last { found.append(finding) }
    }
    return found
  }
}

extension OutputRecogniser {
  /// The finding in one piece of text.
  static func finding(in text: String, command: [String] = []) -> Finding? {
    var recogniser = OutputRecogniser(command: command)
    recogniser.read(text.utf8, at: Instant(nanoseconds: 0))
    return recogniser.finding
  }
}

extension ProgressCounts: CustomStringConvertible {
  /// `12/100 items`.
  public var description: String { "\(completed)/\(total) \(unit)" }
}
