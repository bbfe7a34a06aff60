import JobCore
import LinuxSystem

/// The highest job number that may be in use, and whether a runner has the store open: a line in a file beside
/// the store, which survives the loss of the store.
///
/// Numbers are covered in steps, so that one write covers many jobs.
final class NumberMark {
  private static let step: UInt64 = 1_000
  /// A larger number was not written by a runner.
  private static let largest = JobNumber.largest.value / 2

  private let path: String
  /// 0 = none was covered.
  private(set) var covered: UInt64 = 0
  /// A runner had the store in use and did not close it.
  private(set) var isInUse = false

  init(_ path: String) {
    self.path = path
    guard let bytes = try? File.readAll(path, limit: 64) else { return }
    let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard let number = words.first.flatMap({ UInt64($0) }), number < Self.largest else { return }
    covered = number
    isInUse = words.count > 1 && words[1] == "open"
  }

  /// Covers a number that is about to be given.
  func cover(_ number: JobNumber) {
    guard number.value > covered, number.value < Self.largest else { return }
    write(number.value + Self.step, isInUse: true)
  }

  /// Records that a runner has the store open, and thus a log.
  func begin() { write(covered, isInUse: true) }

  /// The store is closed.
  func end() { write(covered, isInUse: false) }

  /// A failed write is repeated with the next number.
  private func write(_ number: UInt64, isInUse: Bool) {
    let line = "\(number)\(isInUse ? " open" : "")\n"
    guard let file = try? File.open(path, [.write, .create, .noFollow]),
      (try? file.write(Array(line.utf8), at: 0)) != nil,
      (try? file.resize(to: UInt64(line.utf8.count))) != nil,
      (try? file.synchronise()) != nil
    else { return }
    covered = number
    self.isInUse = isInUse
  }
}
