extension Spawn {
  /// The step in which the child changes to its folder.
  package static let enteringFolder = "enter the folder"
  /// The last step.
  private static let starting = "start"

  /// Why the program did not start; names the file or folder at fault.
  func problem(in step: String, _ number: Int32) -> SystemError {
    let program = String(decoding: arguments.first ?? [], as: UTF8.self)
    if step == Self.enteringFolder, let directory {
      return SystemError(step, number, path: String(decoding: directory, as: UTF8.self))
    }
    var problem = SystemError(step, number, path: program)
    if step == Self.starting, number == SystemError.notFound {
      problem.cause = missing(for: program)
    }
    if step == Self.starting, number == SystemError.notExecutable {
      problem.cause = "it is damaged, or a program for another kind of processor"
    }
    return problem
  }

  /// The missing file that an existing program needs; nil if unknown.
  ///
  /// The kernel returns the same error as for a missing program (execve(2)).
  private func missing(for program: String) -> String? {
    guard program.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let folder = directory.map { String(decoding: $0, as: UTF8.self) + "/" } ?? ""
    let path = program.hasPrefix("/") ? program : folder + program
    guard let file = try? File.open(path, [.read, .nonblocking]),
      let start = try? file.read(at: 0, maximum: Self.longestFirstLine)
    else { return nil }
    if start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
      return "the loader that it was built for does not exist here"
    }
    guard start.starts(with: "#!".utf8) else { return nil }
    let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") {
      return "its lines end with carriage returns (CRLF), and no interpreter has one in its name;"
        + " sed -i 's/\\r$//' removes them"
    }
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let interpreter = line.drop { blanks.contains($0) }.prefix { !blanks.contains($0) }
    return "its interpreter \(String(decoding: interpreter, as: UTF8.self)) does not exist"
  }

  /// The part of a script's first line that the kernel reads (BINPRM_BUF_SIZE).
  private static let longestFirstLine = 256
}
