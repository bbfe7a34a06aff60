import Foundation
import Glibc
import TestKit

/// A file that a job has given its name, and the note of it that a killed attempt leaves.
struct PublishedFile {
  private let content: Data

  /// `path`: where it is now; `name`: as the job calls it.
  init(_ path: String, named name: String, arguments: [String]) throws {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw SystemCallFailure("lstat \(path)") }
    let numbers = [Int(status.st_ino), Int(status.st_size)]
    let changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    let fields = (numbers + changed).map { "\($0)" } + [name] + arguments
    content = Data(fields.map { $0 + "\0" }.joined().utf8)
  }

  /// Writes the note into a job's state folder.
  func note(in state: String) throws {
    try content.write(to: URL(filePath: state + "/published"))
    guard unsafe chmod(state + "/published", 0o600) == 0 else { throw SystemCallFailure("chmod") }
  }
}
