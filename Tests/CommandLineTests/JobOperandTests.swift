import JobCore
import JobWire
import Testing

@testable import jobrun

struct JobOperandTests {
  private func operands(_ words: String...) throws -> [JobOperand] {
    try JobOperand.all(words.map { Argument($0) })
  }

  private func range(_ first: UInt64, _ count: Int) -> JobOperand {
    .several(.range(JobRange(first: JobNumber(first), count: count)))
  }

  @Test func `numbers, ranges and groups are told from names`() throws {
    #expect(try operands("12", "7-9", "5-5") == [.one("12"), range(7, 3), range(5, 1)])
    #expect(try operands("group:render") == [.several(.group(try GroupName(checking: "render")))])
    #expect(try operands("1,2-4,@") == [.one("1"), range(2, 3), .one("@")])
    for name in ["Trip, 2026", "2026-10-export", "io.jobrun.samples.export.1-2", "@~1", "a,b"] {
      #expect(try operands(name) == [.one(Argument(name))])
    }
  }

  @Test(arguments: ["9-7", "0-3", "1-1000001", "18446744073709551615-18446744073709551615"])
  func `what goes down, begins with 0 or is too long is refused`(_ text: String) {
    #expect(throws: WireError.self) { try operands(text) }
  }

  @Test func `the last number that there is can be named`() throws {
    let last = JobNumber.largest.value
    #expect(try operands("\(last)-\(last)") == [range(last, 1)])
  }
}
