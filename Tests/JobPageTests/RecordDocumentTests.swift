import JobPage
import LinuxSystem
import TestKit
import Testing

/// `run-record.md` and `launch-order.md` match the files' content.
struct RecordDocumentTests {
  private let record: Document
  private let order: Document

  init() throws {
    record = try Document("Sources/JobPage/run-record.md")
    order = try Document("Sources/JobPage/launch-order.md")
  }

  @Test func `every line of a record is shown as it is written`() {
    let lines: [RunRecord.Line] = [
      .claimed(.init(node: "n3", job: "4711", restart: 0, milliseconds: 10)),
      RunRecordTests.started, .stopping(.outside, milliseconds: 15), .waited,
      .transferred(BytesTransferred(read: 4_096, written: 512)),
      RunRecordTests.ended(.exited(3)), .revoked,
      .held("cannot open x: Too many open files"),
    ]
    let shown =
      record.column(0, below: "## Lines") + record.column(0, below: "One more line")
    #expect(shown.flatMap { Document.code(in: $0) } == lines.map { String($0.text.dropLast()) })
    for line in lines {
      // A new kind of line does not compile until it is shown.
      switch line {
      case .claimed, .started, .stopping, .waited, .transferred, .ended, .revoked, .held: continue
      }
    }
  }

  @Test func `every key of an order is there, in the order in which it is written`() throws {
    let fields = fields(of: LaunchCodingTests.order)
    #expect(order.column(0, below: "## Keys") == fields.map { String($0.prefix { $0 != "=" }) })
  }

  @Test func `an order lacks nothing that is required, and may lack the rest`() throws {
    let fields = fields(of: LaunchCodingTests.order)
    let specification = LaunchCodingTests.specification.encoded()
    for row in order.table(below: "## Keys") {
      let others = fields.filter { !$0.hasPrefix("\(row[0])=") }
      let bytes = Self.encoded(others) + specification
      if row[1] == "yes" {
        #expect(throws: JobPageError.self, "\(row[0])") { try LaunchOrder(decoding: bytes) }
      } else {
        #expect(throws: Never.self, "\(row[0])") { try LaunchOrder(decoding: bytes) }
      }
    }
  }

  @Test(arguments: ["graceMs=soon", "input=what", "input=x:/a"])
  func `a value without which nothing right can be done refuses the order`(_ field: String) {
    let name = field.prefix { $0 != "=" }
    var fields = fields(of: LaunchCodingTests.order).filter { !$0.hasPrefix("\(name)=") }
    fields.append(field)
    let bytes = Self.encoded(fields)
    #expect(throws: JobPageError.self) {
      try LaunchOrder(decoding: bytes + LaunchCodingTests.specification.encoded())
    }
  }

  @Test(arguments: ["umask=-1", "limitMs=x", "terminal=80", "logLimit=1k", "nice=very"])
  func `another value that cannot be read counts as left out`(_ field: String) throws {
    let plain = LaunchCodingTests.order.encoded()
    let bytes = Array(field.utf8) + [0] + plain
    #expect(try LaunchOrder(decoding: bytes) == LaunchCodingTests.order)
  }

  private static func encoded(_ fields: [String]) -> [UInt8] {
    Array((fields + [""]).map { $0 + "\0" }.joined().utf8)
  }

  /// The fields of an order in which everything is set, without the empty one.
  private func fields(of plain: LaunchOrder) -> [String] {
    var order = plain
    order.creationMask = 0o22
    order.limitMilliseconds = 1
    order.warning = .init(afterMilliseconds: 1, signal: 10)
    order.terminal = LaunchOrder.TerminalSize(columns: 80, rows: 24)
    order.input = .passed
    order.logLimit = 1
    order.watchesLog = true
    order.niceness = 10
    order.group = "/sys/fs/cgroup/jobs/1.1"
    order.lacksEnvironment = true
    order.heading = "h"
    order.standardOutput = "/s/out"
    order.standardError = "/s/err"
    order.keepsBackground = true
    order.recovery = "{}"
    return order.encoded().split(separator: 0, omittingEmptySubsequences: false)
      .prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}
