package import LinuxSystem

/// The files of one attempt on a file system that the submitting and the executing machine share:
/// `FOLDER/STORE/ENGINE/jobs/NUMBER.ATTEMPT`, where `FOLDER/STORE/ENGINE` is its store.
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
  /// The input of the job, if any.
  package var input: String { "\(path)/input" }
  /// Orders for the supervisor; see `ControlPage`.
  package var control: String { "\(path)/control" }
  /// Observations of the supervisor; see `Mirror`.
  package var mirror: String { "\(path)/mirror" }
  /// Made by the claim that decides about the attempt; see `RemoteClaim`.
  package var record: String { "\(path)/record" }
  /// The output of the job, unless the order names another file.
  package var log: String { "\(path)/log" }
  /// The folder that a job keeps between attempts, unless the order names another one.
  package var state: String { "\(store)/state/\(attempt.map { "\($0.number)" } ?? "none")" }
  /// The folder of the engine, which holds the folders of all its attempts.
  package var store: String { File.parent(of: File.parent(of: path)) }
  /// The pipe for what people type into the job's terminal, if it takes any.
  package var keys: String { "\(path)/keys" }
  /// Complaints of the engine and of the supervisor itself.
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

  /// Makes the folder with the files that the supervisor needs; they must be on the file server's disk
  /// (`synchronise`) before the attempt is announced.
  package func make(
    _ order: [UInt8], page: [UInt8], control: ControlPage, input: [UInt8] = []
  ) throws(SystemError) {
    try File.makeDirectories(path)
    if !input.isEmpty { try SharedPage.create(self.input, input) }
    try SharedPage.create(self.mirror, Mirror(page: page).encoded())
    try SharedPage.create(self.control, control.encoded())
    try SharedPage.create(self.order, order)
  }

  /// The order is durable, and so must be all that the job needs: otherwise it starts with an empty page.
  package func synchronise() throws(SystemError) {
    try File.open(order).synchronise()
    try File.synchroniseDirectory(of: order)
  }
}
