import Foundation
import JobCore
import JobRecognition
import Testing

/// A recorded run: a program's output and open files over time, and its true progress (`Fixtures/Runs`,
/// asciinema's format).
struct Cast: Sendable, CustomTestStringConvertible {
  /// A state that was visible from this time on.
  enum Event: Sendable {
    case output([UInt8])
    case files([OpenFile])
  }

  let name: String
  /// `recorded`, or how it was made where the program could not be run.
  let source: String
  /// The command line, in words.
  let command: [String]
  let succeeded: Bool
  /// In seconds.
  let end: Double
  /// Times and true shares, with straight lines between them; a round begins where it falls.
  let truth: [(time: Double, share: Double)]
  let events: [(time: Double, event: Event)]

  var testDescription: String { name }
  /// Whether the true progress is that of rounds of an unknown number.
  let hasRounds: Bool

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/Runs")

  static let all = read(folder)

  /// The recorded runs of a folder.
  static func read(_ folder: URL) -> [Cast] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    return files.filter { $0.pathExtension == "cast" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .compactMap { try? Cast($0) }
  }

  private init(_ file: URL) throws {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let rows = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
    guard let head = rows.first as? [String: Any], let points = head["truth"] as? [[Double]],
      let length = head["end"] as? Double, let said = head["source"] as? String,
      let code = head["exit"] as? Int
    else { throw CocoaError(.fileReadCorruptFile) }
    name = file.deletingPathExtension().lastPathComponent
    source = said
    command = Self.words((head["command"] as? String) ?? "")
    succeeded = code == 0
    end = length
    truth = points.map { ($0[0], $0[1]) }
    hasRounds = zip(points, points.dropFirst()).contains { $1[1] < $0[1] }
    events = rows.dropFirst().compactMap { row in
      guard let fields = row as? [Any], fields.count == 3, let time = fields[0] as? Double else {
        return nil
      }
      if let text = fields[2] as? String { return (time, .output(Array(text.utf8))) }
      return (time, .files((fields[2] as? [[Any]] ?? []).compactMap { OpenFile(recorded: $0) }))
    }
  }

  /// A command that was written down without its quotation marks.
  private static func words(_ command: String) -> [String] {
    for shell in ["sh -c ", "bash -c "] where command.hasPrefix(shell) {
      return shell.split(separator: " ").map(String.init) + [String(command.dropFirst(shell.count))]
    }
    return command.split(separator: " ").map(String.init)
  }

  /// How far the program really was.
  func share(at time: Double) -> Double {
    guard let first = truth.first, let last = truth.last, time > first.time else {
      return truth.first?.share ?? 0
    }
    for (before, after) in zip(truth, truth.dropFirst()) where after.time >= time {
      let span = after.time - before.time
      // A round stays at its end until the next one begins; a smaller fall is a total that grew.
      if after.share < before.share / 2 { return time < after.time ? before.share : after.share }
      let part = span > 0 ? (time - before.time) / span : 1
      return before.share + (after.share - before.share) * part
    }
    return last.share
  }

  /// When it had done this share of all.
  func time(of share: Double) -> Double {
    guard let first = truth.first, let last = truth.last else { return 0 }
    if hasRounds { return first.time + (last.time - first.time) * share }
    for (before, after) in zip(truth, truth.dropFirst()) where after.share >= share {
      let rise = after.share - before.share
      return before.time + (after.time - before.time)
        * (rise > 0 ? (share - before.share) / rise : 0)
    }
    return last.time
  }

  /// The last time up to `time` of an output or, instead, of a sample of its files.
  func lastEvent(until time: Double, ofFiles: Bool) -> Double {
    events.last { event in
      if event.time > time { return false }
      if case .files = event.event { return ofFiles }
      return !ofFiles
    }?.time ?? 0
  }
}

extension OpenFile {
  /// A row of record.py; nil for other rows.
  fileprivate init?(recorded row: [Any]) {
    guard row.count == 10 || row.count == 11, let name = row[2] as? String else { return nil }
    let numbers = row.map { ($0 as? NSNumber) ?? 0 }
    let access: FilePosition.Access =
      switch numbers[5].intValue {
      case 0: .reading
      case 1: .writing
      default: .both
      }
    self.init(
      identity: Identity(device: numbers[0].uint64Value, inode: numbers[1].uint64Value), name: name,
      size: numbers[3].uint64Value,
      place: numbers[4].int64Value < 0
        ? nil : FilePosition(position: numbers[4].uint64Value, access: access),
      isNamed: numbers[6].boolValue, isOlder: numbers[7].boolValue,
      hasName: numbers[8].intValue > 0, modifiedNanoseconds: numbers[9].int64Value,
      heldBytes: numbers.count > 10 ? numbers[10].uint64Value : 0)
  }
}
