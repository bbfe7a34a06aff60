import JobCore
import JobPage
import JobRecognition
import JobWire
import LinuxSystem

/// A reader of foreign bytes; it must answer or refuse any input.
enum FuzzTarget: String, CaseIterable {
  case request, reply, manifest, configuration, page, order, record, helper, output, engine, mirror

  /// Reads `bytes`; traps where the reader breaks its own promises.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .request: readRequests(bytes)
    case .reply: readReplies(bytes)
    case .manifest: readManifests(bytes)
    case .configuration: _ = try? RunnerConfiguration.parse(bytes, file: "config.json")
    case .page: readPage(bytes)
    case .order: readOrder(bytes)
    case .record: readRecord(bytes)
    case .output: readOutput(bytes)
    case .engine: readEngine(bytes)
    case .mirror:
      _ = Mirror(decoding: bytes)
      _ = ControlPage(decoding: bytes)
    case .helper:
      _ = GPUAnswer(output: bytes).map(\.line)
      _ = NoticeAnswer(output: bytes).map(\.line)
    }
  }

  /// The first byte determines the chunks: the lines must not depend on them.
  private func readRequests(_ bytes: [UInt8]) {
    let lines = elements(of: bytes.dropFirst(), step: bytes.count)
    precondition(
      lines == elements(of: bytes.dropFirst(), step: Int(bytes.first ?? 0) + 1),
      "the lines depend on how their bytes arrive")
    for case .line(let line) in lines {
      guard let request = try? RequestLine(line: line) else { continue }
      var written: [UInt8] = []
      request.append(to: &written)
      precondition(written.last == UInt8(ascii: "\n"), "a line without its end")
      let again = try? RequestLine(line: written.dropLast())
      precondition(again == request, "a request is another one once written and read")
    }
  }

  private func elements(of bytes: ArraySlice<UInt8>, step: Int) -> [LineSplitter.Element] {
    var splitter = LineSplitter(limit: 512)
    var found: [LineSplitter.Element] = []
    var rest = bytes
    while !rest.isEmpty {
      splitter.append(rest.prefix(max(1, step)))
      rest = rest.dropFirst(max(1, step))
      while let element = splitter.next() { found.append(element) }
    }
    return found
  }

  /// The reports of engines, and their orders.
  private func readEngine(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A) {
      if let report = try? EngineReport(line: line) {
        let again = try? EngineReport(line: report.line.dropLast()[...])
        precondition(again == report, "a report is another one once written and read")
      }
      if let order = try? EngineOrder(line: line) {
        let again = try? EngineOrder(line: order.line.dropLast()[...])
        precondition(again == order, "an order is another one once written and read")
      }
    }
  }

  private func readReplies(_ bytes: [UInt8]) { _ = try? RunnerLine(line: bytes[...]) }

  private func readManifests(_ bytes: [UInt8]) {
    let text = #"{"identifier": "io.jobrun.samples", "capabilities": ["gpu"]}"#
    guard let bundle = try? BundleManifest.parse(Array(text.utf8), file: "bundle.json") else {
      preconditionFailure("the sample bundle cannot be read")
    }
    _ = try? BundleManifest.parse(bytes, file: "bundle.json")
    _ = try? JobManifest.parse(bytes, file: "job.json", bundle: bundle)
  }

  /// Through a file, as the runner reads it; the file is in memory.
  private func readPage(_ bytes: [UInt8]) {
    guard let file = try? MemoryFile.make(bytes, name: "page"),
      var reader = try? PageReader(path: "/proc/self/fd/\(file.number)")
    else { return }
    let snapshot = reader.snapshot()
    for text in [snapshot.title, snapshot.subtitle, snapshot.message] {
      precondition(PlainText.make(text.utf8) == text, "a text that could steer a terminal")
    }
    _ = reader.snapshot()
  }

  private func readOrder(_ bytes: [UInt8]) {
    if let specification = try? LaunchSpecification(decoding: bytes) {
      let again = try? LaunchSpecification(decoding: specification.encoded())
      precondition(again == specification, "a launch specification changed on its way")
    }
    if let order = try? LaunchOrder(decoding: bytes) {
      let again = try? LaunchOrder(decoding: order.encoded())
      precondition(again == order, "a launch order changed on its way")
    }
  }

  private func readRecord(_ bytes: [UInt8]) {
    let record = RunRecord(parsing: bytes)
    guard let ended = record.ended else { return }
    let line = RunRecord.Line.ended(ended)
    precondition(
      RunRecord.Line(parsing: String(line.text.dropLast())) != nil, "a line that cannot be read")
  }

  /// The first byte determines the chunks.
  private func readOutput(_ bytes: [UInt8]) {
    var recogniser = OutputRecogniser()
    let step = Int(bytes.first ?? 0) + 1
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
      recogniser.read(rest.prefix(step), at: Instant(nanoseconds: UInt64(rest.startIndex)))
      rest = rest.dropFirst(step)
      // Once in a while something is left out, as of an output that grows fast.
      if rest.first == 0xFF { recogniser.skip() }
      guard let counts = recogniser.finding?.counts, counts.total > 0 else { continue }
      precondition(counts.completed <= counts.total, "more is done than there is")
    }
  }
}
