import JobCore
import LinuxSystem

/// Up to which number jobs may have been given one, and whether a runner has the store in use: a line beside
/// the store, which does not go when that is lost.
///
/// Numbers are covered in steps, so that it is written once for many jobs.
final class NumberMark {
  private static let step: UInt64 = 1_000
  /// More was written by nobody who had a store.
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

  /// Says that a runner has the store in use: it has a log from now on.
  func begin() { write(covered, isInUse: true) }

  /// The store is closed.
  func end() { write(covered, isInUse: false) }

  /// What cannot be written now is written with the next number.
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
