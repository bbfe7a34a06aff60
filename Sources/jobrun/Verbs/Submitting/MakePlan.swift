import JobCore
import JobWire
import LinuxSystem

/// The plan of `make -n`, for `--progress make`.
///
/// A value made from its output: the number of commands, and the words that identify them when make prints
/// them.
struct MakePlan: Hashable {
  /// The limits of the words, which travel with the submission.
  private static let maximumWords = 200
  private static let longestWord = 100

  private(set) var commands: UInt64 = 0
  private(set) var words: Set<String> = []

  /// Parses the output of `make -n`.
  init(_ output: [UInt8]) {
    var isContinued = false
    for line in output.split(separator: 0x0A) {
      defer { isContinued = line.last == UInt8(ascii: "\\") }
      guard !isContinued, let word = Self.word(of: line) else { continue }
      commands += 1
      if words.count < Self.maximumWords { words.insert(word) }
    }
  }

  /// How progress is recognised; automatically if there is nothing to make.
  var recognition: Observation.Recognition {
    commands == 0 ? .auto : .make(commands: commands, words: words.sorted())
  }

  /// The first word of a command as make prints it, or as the command prints itself: `CC` of `echo "  CC
  /// main.o"; cc …`.
  private static func word(of line: ArraySlice<UInt8>) -> String? {
    let words = line.split(separator: 0x20)
    guard let first = words.first, !isTalk(words) else { return nil }
    let quotes: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    var word = first
    if first.elementsEqual("echo".utf8) || first.elementsEqual("printf".utf8) {
      let text = words.dropFirst().lazy.filter { $0.first != UInt8(ascii: "-") }
        .map { $0.drop(while: quotes.contains) }.first { !$0.isEmpty }
      guard let text else { return nil }
      word = text.prefix {
        !quotes.contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: ";")
      }
    }
    guard !word.isEmpty, word.count <= longestWord, !word.contains(UInt8(ascii: "$")) else {
      return nil
    }
    return String(decoding: word, as: UTF8.self)
  }

  /// `make[1]: Entering directory …`, `make: Nothing to be done …`: messages of make.
  private static func isTalk(_ words: [ArraySlice<UInt8>]) -> Bool {
    guard words.count > 1, let first = words.first, first.last == UInt8(ascii: ":") else {
      return false
    }
    return first.starts(with: "make".utf8) || first.starts(with: "gmake".utf8)
  }
}

extension MakePlan {
  /// Longest that counting may take, in nanoseconds.
  private static let timeout: UInt64 = 60_000_000_000
  private static let maximumBytes = 64 << 20

  /// Runs `make -n`, which makes nothing.
  ///
  /// Errors of make are left to the job. Throws: the command is not make.
  init(asking command: [[UInt8]]) throws(WireError) {
    let executable = command.first ?? []
    let name = String(decoding: executable, as: UTF8.self).split(separator: "/").last ?? ""
    guard ["make", "gmake"].contains(name) else {
      throw WireError(
        .usage,
        "\(Flag.progress.spelling) make counts the commands of make -n, and \(String(name).quoted) is"
          + " not make; auto finds what most programs print")
    }
    let output =
      (try? Self.output(of: [executable, Array("-n".utf8)] + command.dropFirst())) ?? []
    self.init(output)
  }

  private static func output(of command: [[UInt8]]) throws(SystemError) -> [UInt8] {
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    let writing = pipe.takeWriting()
    let null = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn(command, environment: CurrentProcess.environment())
    spawn.startsGroup = true
    spawn.descriptors = [
      .init(null.number, as: 0), .init(writing.number, as: 1), .init(null.number, as: 2),
    ]
    let pid = try spawn.start()
    _ = consume writing
    let deadline = AwakeClock.now() + timeout
    var bytes: [UInt8] = []
    while bytes.count < maximumBytes, try Poll.wait(reading.number, until: deadline) {
      guard case .bytes = try reading.read(into: &bytes) else {
        let end = try ChildProcess.wait(pid)
        return end.status == .exited(0) ? bytes : []
      }
    }
    ChildProcess.discard(pid)
    return []
  }
}
