package import LinuxSystem

/// The files of one attempt on a file system that the machine where it runs shares with the one from which
/// it was sent: `FOLDER/STORE/ENGINE/jobs/NUMBER.ATTEMPT`, where `FOLDER/STORE/ENGINE` is its store.
package struct JobFolder: Hashable, Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package init(store: String, number: UInt64, attempt: UInt64) {
    path = "\(store)/jobs/\(number).\(attempt)"
  }

  /// The launch order.
  package var order: String { "\(path)/order" }
  /// What the job reads, where there is something.
  package var input: String { "\(path)/input" }
  /// What the supervisor is to do; see `ControlPage`.
  package var control: String { "\(path)/control" }
  /// What the supervisor has seen; see `Mirror`.
  package var mirror: String { "\(path)/mirror" }
  /// Made by whoever decides about the attempt; see `Claim`.
  package var record: String { "\(path)/record" }
  /// What the job writes, where the order names no other file.
  package var log: String { "\(path)/log" }
  /// What the job keeps from one attempt to the next, where the order names no other folder.
  package var state: String { "\(store)/state/\(attempt.map { "\($0.number)" } ?? "none")" }
  /// The folder of the engine, with those of all its attempts.
  package var store: String { File.parent(of: File.parent(of: path)) }
  /// What an engine and the supervisor itself complain of.
  package var nodeLog: String { "\(path)/node.log" }

  /// Job and attempt; nil for a folder with another name.
  package var attempt: (number: UInt64, attempt: UInt64)? {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(Substring(parts[0])),
      let attempt = UInt64(Substring(parts[1]))
    else { return nil }
    return (number, attempt)
  }

  /// Makes the folder with what the supervisor needs to find there; all of it is to be on the disk of whoever
  /// serves it before anybody is told of it (`synchronise`).
  package func make(
    _ order: [UInt8], page: [UInt8], control: ControlPage, input: [UInt8] = []
  ) throws(SystemError) {
    try File.makeDirectories(path)
    if !input.isEmpty { try SharedPage.create(self.input, input) }
    try SharedPage.create(self.mirror, Mirror(page: page).encoded())
    try SharedPage.create(self.control, control.encoded())
    try SharedPage.create(self.order, order)
  }

  /// The order lasts, and with it all that a job needs: without the rest it begins with an empty page.
  package func synchronise() throws(SystemError) {
    try File.open(order).synchronise()
    try File.synchroniseDirectory(of: order)
  }
}
