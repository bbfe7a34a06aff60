import Foundation
import Glibc

/// Waits that end with an event of the kernel (inotify, pidfd), never after a guessed time.
package enum WaitFor {
  /// Waits until `path` exists.
  ///
  /// - Throws: `Overdue` with the content of the nearest existing folder.
  package static func file(_ path: String, within limit: Duration = Deadline.timeout) throws {
    try change(at: path, awaited: "the file \(path)", within: limit) {
      unsafe access(path, F_OK) == 0 ? true : nil
    }
  }

  /// Waits until the file at `path` contains `text`; returns its whole content.
  ///
  /// Writes through a shared mapping cause no event: this is for logs, records and similar files.
  @discardableResult
  package static func file(
    _ path: String, contains text: String, within limit: Duration = Deadline.timeout
  ) throws -> String {
    try change(at: path, awaited: "\"\(text)\" in \(path)", within: limit) {
      guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
      let content = String(decoding: bytes, as: UTF8.self)
      return content.contains(text) ? content : nil
    }
  }

  /// Waits until the file at `path` is gone.
  package static func noFile(_ path: String, within limit: Duration = Deadline.timeout) throws {
    try change(at: path, awaited: "the removal of \(path)", within: limit) {
      unsafe access(path, F_OK) == 0 ? nil : true
    }
  }

  /// Waits until any process has ended, not only a child.
  ///
  /// A zombie counts as ended.
  package static func end(ofProcess pid: Int32, within limit: Duration = Deadline.timeout) throws {
    guard let handle = OwnedDescriptor.process(pid) else { return }
    guard try Deadline(within: limit).anyReadable(of: [handle.number]) else {
      let command = (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? ""
      throw Overdue(awaited: "the end of process \(pid)", limit: limit, seen: command)
    }
  }

  /// Waits until the descriptor is readable or hung up.
  package static func readable(
    _ descriptor: Int32, _ awaited: String, within limit: Duration = Deadline.timeout
  ) throws {
    guard try Deadline(within: limit).anyReadable(of: [descriptor]) else {
      throw Overdue(awaited: awaited, limit: limit, seen: "")
    }
  }

  /// Evaluates `condition` now and after every change in the folder of `path` until it returns a value.
  ///
  /// While that folder does not exist, the nearest existing parent is watched.
  @discardableResult
  package static func change<Value>(
    at path: String, awaited: String, within limit: Duration, until condition: () -> Value?
  ) throws -> Value {
    let deadline = Deadline(within: limit)
    while true {
      let folder = nearestFolder(above: path)
      guard let watch = try FolderWatch(folder) else { continue }
      // After the watch is set, so that no change is missed between the check and the wait.
      if let value = condition() { return value }
      // A folder that was made just before the watch was set tells of nothing: it is watched itself.
      guard nearestFolder(above: path) == folder else { continue }
      guard try deadline.anyReadable(of: [watch.descriptor]) else {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let content = FileManager.default.contents(atPath: path) ?? Data()
        throw Overdue(
          awaited: awaited, limit: limit,
          seen: "\(folder) holds \(entries.sorted()); content: "
            + String(decoding: content.suffix(4096), as: UTF8.self))
      }
    }
  }

  /// Asks another program again and again, where nothing tells of a change; a question takes some 50 ms.
  package static func answer(_ awaited: String, until isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + Deadline.timeout
    while try !isSo() {
      guard ContinuousClock.now < deadline else {
        throw Overdue(awaited: awaited, limit: Deadline.timeout, seen: "")
      }
    }
  }

  private static func nearestFolder(above path: String) -> String {
    var url = URL(fileURLWithPath: path).deletingLastPathComponent()
    while unsafe access(url.path, F_OK) != 0, url.path != "/" { url.deleteLastPathComponent() }
    return url.path
  }
}

/// An inotify descriptor on one folder (`man 7 inotify`), readable at the next change in it.
private struct FolderWatch {
  private let owned: OwnedDescriptor

  var descriptor: Int32 { owned.number }

  /// Nil when the folder is gone.
  init?(_ folder: String) throws(SystemCallFailure) {
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0 else { throw SystemCallFailure("inotify_init1") }
    owned = OwnedDescriptor(number)
    let mask =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB
    guard unsafe inotify_add_watch(number, folder, UInt32(mask)) >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemCallFailure("inotify_add_watch \(folder)")
    }
  }
}
