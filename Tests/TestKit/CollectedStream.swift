import Glibc

/// The reading end of a stream and its output so far.
struct CollectedStream {
  private var source: OwnedDescriptor?
  private var bytes: [UInt8] = []

  init(_ source: OwnedDescriptor?) {
    self.source = source
  }

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The descriptor to wait on; nil once the stream has ended.
  var openNumber: Int32? {
    source?.number
  }

  mutating func collect() {
    guard let (more, ended) = source?.drain() else { return }
    bytes += more
    if ended { source = nil }
  }
}

/// A pipe whose ends close on exec: reading end first.
func pipePair() throws(SystemCallFailure) -> (reader: OwnedDescriptor, writer: OwnedDescriptor) {
  var ends: [Int32] = [-1, -1]
  guard GNULibrary.pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemCallFailure("pipe2") }
  return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
}

/// A pipe that holds `text` and then ends; the text must fit into the pipe (64 KiB).
func pipeHolding(_ text: String) throws(SystemCallFailure) -> OwnedDescriptor {
  let (reader, writer) = try pipePair()
  writer.setNonBlocking()
  let bytes = Array(text.utf8)
  guard unsafe write(writer.number, bytes, bytes.count) == bytes.count else {
    throw SystemCallFailure("write \(bytes.count) bytes of standard input")
  }
  return reader
}
