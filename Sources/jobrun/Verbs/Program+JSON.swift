import JobCore
import JobWire

// The output of `--json`; see `JSONGuide`.
extension Program {
  func writeJSON(_ job: JobStatus) {
    data.buffer(json: job.json)
    data.buffer(line: "")
  }

  /// Buffers one object as a line.
  func writeJSON(_ fields: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    fields(&writer)
    writer.endObject()
    data.buffer(json: writer.bytes)
    data.buffer(line: "")
  }

  /// A line of a job's log.
  func writeJSON(_ piece: LogLines.Piece, of number: JobNumber) {
    data.buffer(json: piece.json(of: number))
  }

  /// Reports the result of an action without an object, as text or JSON.
  func report(_ action: String, done: Bool, _ sentence: String, _ invocation: Invocation) {
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("action", action)
        $0.field("done", done)
        $0.field("message", sentence)
      }
      data.flush()
    } else {
      talk.write(line: SafeText.shown(sentence))
    }
  }

  /// Reports an error: a sentence for people, and an object with `--json`.
  func complain(_ error: WireError, isJSON: Bool) {
    if isJSON {
      data.buffer(json: error.json)
      data.buffer(line: "")
    }
    data.flush()
    talk.write(line: "jobrun: \(SafeText.shown(error.message))")
  }
}

extension LogLines.Piece {
  /// `{"number":12,"line":1,"text":"…"}` with its newline.
  func json(of number: JobNumber) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("number", number.value)
    writer.field("line", line)
    writer.field("text", text)
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
