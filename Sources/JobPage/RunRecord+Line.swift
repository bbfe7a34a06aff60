package import LinuxSystem

extension RunRecord.Line {
  /// The line with its line feed.
  package var text: String {
    switch self {
    case .claimed(let line):
      "claimed \(Self.word(line.node)) job \(Self.word(line.job)) restart \(line.restart) "
        + "at \(line.milliseconds)\n"
    case .stopping(let cause, let milliseconds): "stopping \(cause.word) at \(milliseconds)\n"
    case .started(let line):
      Self.startedPrefix + "\(line.worker.pid) \(line.worker.startTime)"
        + Self.startedSuffix(shim: line.shim)
    case .ended(let line):
      "ended \(line.status.words) cpu \(line.cpuMicroseconds) rss \(line.residentBytes) "
        + "from \(line.startedMilliseconds) to \(line.endedMilliseconds)"
        + (line.message.isEmpty ? "" : " \(PlainText.make(line.message.utf8))") + "\n"
    case .waited: "waited\n"
    case .transferred(let bytes): "transferred \(bytes.read) \(bytes.written)\n"
    case .revoked: "revoked\n"
    case .held(let reason): "held \(PlainText.make(reason.utf8))\n"
    }
  }

  /// The part before the worker's pid and start time, which its own process adds.
  package static let startedPrefix = "started "

  package static func startedSuffix(shim: ProcessIdentity) -> String {
    " \(shim.pid) \(shim.startTime)\n"
  }

  /// Nil for a malformed line.
  package init?(parsing text: String) {
    // By scalars: a blank before a combining mark is not a Character of its own.
    let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
      .map { Substring($0) }
    switch words.first {
    case "claimed":
      guard words.count == 8, words[2] == "job", words[4] == "restart", words[6] == "at",
        let restart = UInt32(words[5]), let milliseconds = Int64(words[7])
      else { return nil }
      self = .claimed(
        .init(
          node: String(words[1]), job: String(words[3]), restart: restart,
          milliseconds: milliseconds))
    case "stopping":
      guard words.count == 4, let cause = RunRecord.StopCause(words[1]), words[2] == "at",
        let milliseconds = Int64(words[3])
      else { return nil }
      self = .stopping(cause, milliseconds: milliseconds)
    case "started":
      guard words.count == 5, let worker = Self.process(words[1], words[2]),
        let shim = Self.process(words[3], words[4])
      else { return nil }
      self = .started(.init(worker: worker, shim: shim))
    case "ended":
      guard let ended = RunRecord.Ended(words) else { return nil }
      self = .ended(ended)
    case "waited" where words.count == 1: self = .waited
    case "transferred" where words.count == 3:
      guard let read = UInt64(words[1]), let written = UInt64(words[2]),
        max(read, written) <= RunRecord.Ended.largestAmount
      else { return nil }
      self = .transferred(BytesTransferred(read: read, written: written))
    case "revoked" where words.count == 1: self = .revoked
    case "held" where words.count > 1: self = .held(words[1...].joined(separator: " "))
    default: return nil
    }
  }

  /// A name from outside, as one word.
  fileprivate static func word(_ name: String) -> String {
    let word = PlainText.make(name.utf8.map { $0 == 0x20 ? UInt8(ascii: "_") : $0 })
    return word.isEmpty ? "-" : word
  }

  private static func process(_ pid: Substring, _ start: Substring) -> ProcessIdentity? {
    guard let pid = Int32(pid), pid > 0, let start = UInt64(start) else { return nil }
    return ProcessIdentity(pid: pid, startTime: start)
  }
}

extension RunRecord.Ended {
  /// The accepted times: from 1970 to the end of the year 9999.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799_999
  /// The maximum of a counter, in microseconds and in bytes: 2⁶⁰, more than any tree uses.
  fileprivate static let largestAmount: UInt64 = 1 << 60

  /// `ended exit|signal|cannotStart CODE cpu US rss BYTES from MS to MS [MESSAGE]`.
  init?(_ words: [Substring]) {
    guard words.count >= 11, words[3] == "cpu", words[5] == "rss", words[7] == "from",
      words[9] == "to", let status = RunRecord.Status(words[1], words[2]),
      let cpu = UInt64(words[4]), let resident = UInt64(words[6]), let from = Int64(words[8]),
      let to = Int64(words[10]), Self.times.contains(from), Self.times.contains(to),
      cpu <= Self.largestAmount, resident <= Self.largestAmount
    else { return nil }
    self.init(
      status: status, cpuMicroseconds: cpu, residentBytes: resident, startedMilliseconds: from,
      endedMilliseconds: to, message: words[11...].joined(separator: " "))
  }
}

extension RunRecord.Status {
  var words: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signalled(let number): "signal \(number)"
    case .cannotStart(let number): "cannotStart \(number)"
    }
  }

  init?(_ kind: Substring, _ code: Substring) {
    guard let code = Int32(code) else { return nil }
    switch kind {
    case "exit" where (0...255).contains(code): self = .exited(code)
    case "signal" where (1...127).contains(code): self = .signalled(code)
    case "cannotStart": self = .cannotStart(code)
    default: return nil
    }
  }
}

extension RunRecord.StopCause {
  private static let partitionPrefix = "partition:"

  /// The sentence for a job that has reached its engine's time limit.
  package static func timeIsUp(in partition: String) -> String { "its time on \(partition) is up" }

  var word: String {
    switch self {
    case .told(let reason): "\(reason)"
    case .limit: "limit"
    case .partition(let name): Self.partitionPrefix + RunRecord.Line.word(name)
    case .outside: "outside"
    }
  }

  init?(_ word: Substring) {
    switch word {
    case "limit": self = .limit
    case "outside": self = .outside
    case _ where word.utf8.starts(with: Self.partitionPrefix.utf8):
      self = .partition(String(word.utf8.dropFirst(Self.partitionPrefix.utf8.count)) ?? "")
    default:
      guard let reason = UInt32(word) else { return nil }
      self = .told(reason)
    }
  }
}
