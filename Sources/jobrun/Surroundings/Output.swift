import JobWire
import LinuxSystem

/// Standard output or standard error of this program: whole lines, at most one write each.
///
/// A write never throws: a closed pipe (`jobrun list | head`) is no error, and any other problem is stored and
/// reported once, at the end.
final class Output {
  private let number: Int32
  private let descriptor: FileDescriptor
  /// Texts are drawn without signs that only Unicode has.
  private let isASCII: Bool
  /// The terminal, opened once more so that a full one can be noticed; nil while writes wait.
  private var impatient: FileDescriptor?
  /// Output that is not written yet.
  private var pending: [UInt8] = []
  /// The reader has gone, or writing failed: loops should end.
  private(set) var isClosed = false
  /// Why writing failed; nil when the reader has closed the pipe.
  private(set) var problem: SystemError?

  /// The largest backlog to which lines and frames are added for a terminal that accepts no output.
  private static let backlogBytes = 64 * 1024
  /// Longest wait at the end for a terminal that accepts no output.
  private static let lastWait: UInt64 = 300_000_000
  /// The size at which buffered output is written.
  private static let bufferBytes = 32 * 1024

  init(_ number: Int32, ascii: Bool = false) {
    self.number = number
    isASCII = ascii
    descriptor = FileDescriptor(owning: number)
  }

  var isTerminal: Bool { Terminal.isTerminal(number) }

  /// Whether the terminal is being used by another program, or by a shell that waits for a command.
  var isInBackground: Bool { Terminal.isBackground(number) }

  /// Columns and rows of the terminal; nil without a terminal, or if unknown.
  var size: (columns: Int, rows: Int)? { Terminal.size(number) }

  /// Columns of the terminal; nil without a terminal, or if unknown.
  var columns: Int? { Terminal.size(number)?.columns }

  /// For a poll, beside other descriptors: ready only once the reader has left.
  var departure: (number: Int32, interest: Interest) { (number, []) }

  /// For a poll, beside other descriptors: ready once the terminal takes more; nil while it has taken all.
  var room: (number: Int32, interest: Interest)? { isBusy ? (number, .writable) : nil }

  /// Notes that the reader has left.
  func readerLeft() {
    isClosed = true
  }

  /// Buffers bytes unchanged.
  private func buffer(_ bytes: some Sequence<UInt8>) {
    guard !isClosed else { return }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.bufferBytes { flush() }
  }

  /// Buffers a line; control characters in it are made harmless.
  func buffer(line: String) {
    buffer(text: SafeText.line(line))
    buffer(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Buffers a line for programs: in UTF-8, regardless of the locale.
  func buffer(record line: String) {
    buffer((SafeText.line(line) + "\n").utf8)
  }

  /// Buffers a record of comma-separated values, whose lines end as RFC 4180 says.
  func buffer(csv fields: [String]) {
    buffer((SafeText.line(fields.map { $0.csvField }.joined(separator: ",")) + "\r\n").utf8)
  }

  /// Adds a line in colours of ours.
  func buffer(line: Line, colour: Bool) {
    buffer(text: line.rendered(colour: colour))
    buffer(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Adds JSON, without its newline; its texts cannot steer a terminal.
  func buffer(json: [UInt8]) {
    buffer(SafeText.json(json))
  }

  /// Buffers a job's output; for a terminal it must pass `LogFilter` first.
  func buffer(log: [UInt8]) {
    buffer(log)
  }

  /// Hands everything on that was added, with as few writes as the kernel allows.
  func flush() {
    guard !isClosed, !pending.isEmpty else { return }
    guard impatient == nil else { return handOnWhatFits() }
    do throws(SystemError) {
      try writeAll()
    } catch {
      isClosed = true
      if error.number != SystemError.brokenPipe { problem = error }
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Waits if another process made the shared descriptor nonblocking.
  private func writeAll() throws(SystemError) {
    var rest = pending[...]
    while !rest.isEmpty {
      if let count = try descriptor.write(rest) {
        rest = rest.dropFirst(count)
      } else {
        _ = try Poll.wait(number, .writable, until: nil)
      }
    }
  }

  /// Whether the terminal has not taken all yet: Ctrl-S, or a line that is stuck.
  var isBusy: Bool {
    guard impatient != nil else { return false }
    handOnWhatFits()
    return !pending.isEmpty
  }

  /// From now on output that a terminal cannot accept at once is kept without waiting.
  ///
  /// Lines and frames beyond a large backlog are left out. A job's output never is: who has more of it asks
  /// `isBusy` first.
  /// Uses its own open file, so that other users of this one are not affected.
  func stopWaiting() {
    flush()
    guard impatient == nil, let name = Terminal.name(number) else { return }
    impatient = try? File.open(name, [.write, .nonblocking, .noTerminal])
  }

  /// Writes wait again, after a last short wait for the rest; a stuck terminal loses it.
  func waitAgain() {
    guard impatient != nil else { return }
    let deadline = AwakeClock.now() + Self.lastWait
    while isBusy, AwakeClock.now() < deadline {
      guard (try? Poll.wait(number, .writable, until: deadline)) == true else { break }
    }
    if isBusy { isClosed = true }
    pending = []
    impatient = nil
  }

  private func handOnWhatFits() {
    var rest = pending[...]
    do throws(SystemError) {
      while !rest.isEmpty, let count = try impatient?.write(rest) ?? nil {
        rest = rest.dropFirst(count)
      }
    } catch {
      isClosed = true
      rest = []
    }
    pending = Array(rest)
  }

  func write(json: [UInt8]) {
    buffer(json: json)
    flush()
  }

  func write(log: [UInt8]) {
    buffer(log: log)
    flush()
  }

  func write(line: Line, colour: Bool) {
    buffer(line: line, colour: colour)
    flush()
  }

  func write(line: String) {
    guard !isFull else { return }
    buffer(line: line)
    flush()
  }

  /// Text of ours alone, with its line breaks: help, the man page, a shell's script.
  func write(ours text: String) {
    buffer(text: text)
    flush()
  }

  /// A frame for the terminal: sequences of ours around lines that were rendered.
  func write(frame: String) {
    guard !isFull else { return }
    buffer(text: frame)
    flush()
  }

  /// A frame with output of a job in it.
  func write(logFrame frame: String) {
    buffer(text: frame)
    flush()
  }

  /// Whether a long backlog waits for a blocked terminal.
  private var isFull: Bool { isBusy && pending.count > Self.backlogBytes }

  /// What the terminal of a job shows, for a person who has entered it: unchanged, as ssh(1) shows it.
  func passOn(_ bytes: [UInt8]) {
    buffer(bytes)
    flush()
  }

  private func buffer(text: String) {
    if isASCII { buffer(ASCIIText.bytes(text)) } else { buffer(text.utf8) }
  }
}

extension String {
  /// In quotation marks where a record of comma-separated values needs them.
  fileprivate var csvField: String {
    guard utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return self }
    return "\"\(escaping(["\"": "\"\""]))\""
  }
}
