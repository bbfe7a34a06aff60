internal import BackgroundTasks
internal import Foundation
internal import JobClient
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// The folder of a session's transfers below the user's state folder: named after the program's bundle and
/// the session's identifier, and open in one process at a time.
final class SessionFolder: Sendable {
  let path: String
  /// Locked as long as this process has the session; the kernel releases it with the process.
  private let lock: FileDescriptor
  private let isClosed = Atomic(false)

  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  var lockPath: String { "\(path)/lock" }
  private var launchPath: String { "\(path)/launch" }

  /// How long to wait for another process that is about to release it: one that only checks for events, or
  /// that was launched for them.
  private static let timeout: UInt64 = 3_000_000_000
  /// The lock is released a moment after its file was closed, which is the event.
  private static let pause: UInt64 = 10_000_000

  /// Files that are not fetched within this time are removed.
  private static let retentionMilliseconds = Int64(7 * 24 * 3600 * 1000)

  /// - Throws: `unavailable` when another process has the session and keeps it.
  init(state: String, bundle: String, session: String) throws(WireError) {
    path = "\(state)/sessions/\(bundle)/\(Self.name(for: session))"
    do throws(DirectoryError) {
      try PrivateDirectory.prepare(path)
    } catch {
      throw WireError(.cannotCreate, error.description)
    }
    do throws(SystemError) {
      lock = try File.open("\(path)/lock", [.read, .write, .create])
    } catch {
      throw WireError(.cannotCreate, error)
    }
    let deadline = AwakeClock.now() + Self.timeout
    do throws(SystemError) {
      let watch = try FileWatch("\(path)/lock")
      while try !lock.tryLock(), AwakeClock.now() < deadline {
        _ = try Poll.wait(watch.number, until: min(deadline, AwakeClock.now() + Self.pause))
        watch.drain()
      }
      if try lock.tryLock() { return }
    } catch {
      throw WireError(.cannotCreate, error)
    }
    throw WireError(.unavailable, "another process of this program has it open")
  }

  /// Releases the folder for the next session with this identifier.
  func close() {
    isClosed.store(true, ordering: .releasing)
    lock.unlock()
  }

  func transfer(_ number: Int) -> TransferFolder { TransferFolder(path: "\(path)/\(number)") }

  private var names: [String] { (try? File.names(in: path)) ?? [] }

  /// The highest number in use.
  var maximumNumber: Int { names.compactMap { Int($0) }.max() ?? 0 }

  /// The stored transfers by number; removes entries that are too old or not a transfer, and keeps unreadable
  /// ones.
  func transfers() -> [(TransferFolder, TransferRecord)] {
    var found: [(TransferFolder, TransferRecord)] = []
    for name in names {
      if let number = Int(name), let record = transfer(number).read() {
        guard record.end == nil || !isOld(name) else {
          transfer(number).remove()
          continue
        }
        found.append((transfer(number), record))
      } else if let number = Int(name), transfer(number).isRecorded, !isOld(name) {
        StandardError.say(
          "the transfer in \(path)/\(name) is skipped, as this version cannot read its task.json; it"
            + " is removed after seven days")
      } else if File.isDirectory("\(path)/\(name)"), !name.hasPrefix("resume-") || isOld(name) {
        // Half made, half removed, or resume data that was never used.
        try? File.removeTree("\(path)/\(name)")
      }
    }
    return found.sorted { $0.1.number < $1.1.number }
  }

  private func isOld(_ name: String) -> Bool {
    let status = (try? File.status("\(path)/\(name)")) ?? nil
    guard let modified = status?.modifiedNanoseconds else { return false }
    return modified / 1_000_000 < WallClock.now() - Self.retentionMilliseconds
  }

  /// The job that launches the program for the session's events; nil = none.
  var launch: UInt64? {
    get {
      (try? File.readAll(launchPath, limit: 64)).flatMap {
        UInt64(String(decoding: $0, as: UTF8.self))
      }
    }
    set {
      guard let newValue else { return (try? File.remove(launchPath)) ?? () }
      try? File.writeAtomically(Array("\(newValue)".utf8), to: launchPath)
    }
  }

  /// The identifier as a file name: characters other than letters, digits, `-`, `_` and inner dots become
  /// `%` and two digits; a long one ends in its hash.
  private static func name(for session: String) -> String {
    var name = ""
    for byte in session.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
        || byte == 0x2D || byte == 0x5F || byte == 0x2E && !name.isEmpty
      name +=
        isPlain
        ? String(Character(scalar))
        : "%" + String(byte >> 4, radix: 16)
          + String(byte & 15, radix: 16)
    }
    guard name.utf8.count > 200 || name.isEmpty else { return name }
    let hash = session.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "\(name.prefix(180))%\(String(hash, radix: 16))"
  }
}
