import Foundation
import JobFiles
import TestKit
import Testing

@testable import MirrorJob

@Suite struct CheckpointTests {
  private let header = "mirror1\0/from\0/to\0.partial\0"
  private let file = "file\0a/b\nc\0" + "12\0" + "1700000000\0" + "5\0" + "abcd\0"

  private func content(_ text: String) -> CheckpointContent {
    CheckpointContent(Array(text.utf8), boot: "now")
  }

  @Test func `files noted since the machine started are trusted, older ones are not`() {
    let read = content(header + "boot\0then\0" + file + "boot\0now\0")
    #expect(read.header?.source.description == "/from")
    #expect(read.trusted.isEmpty)
    let fresh = content(header + "boot\0now\0" + file)
    #expect(fresh.trusted.count == 1)
    #expect(
      fresh.trusted.first?.value == FileStamp(size: 12, seconds: 1_700_000_000, nanoseconds: 5))
  }

  @Test func `a record that a kill cut off is left out, wherever it was cut`() {
    let whole = header + "boot\0now\0" + file
    for length in whole.utf8.count..<(whole.utf8.count + file.utf8.count) {
      let read = CheckpointContent(Array((whole + file).utf8.prefix(length)), boot: "now")
      #expect(read.wholeBytes == whole.utf8.count, "\(length)")
      #expect(read.trusted.count == 1)
    }
  }

  @Test func `a target that is not free is not noted as the job's own, not for a moment`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("x", to: "album/file")
    try sandbox.write("precious", to: "copy/file")
    let plan = try MirrorPlan(
      MirrorArguments([BytePath(sandbox.path("album")), BytePath(sandbox.path("copy"))]))
    #expect(throws: MirrorError.self) {
      try Checkpoint(in: BytePath(sandbox.root), for: plan, boot: "now")
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.root + "/finished"))
  }

  @Test(arguments: ["", "garbage", "file\0a\0x\0y\0z\0w\0", "\0\0\0\0", "boot\0now\0"])
  func `what makes no sense is an empty checkpoint`(text: String) {
    #expect(content(text).header == nil)
    #expect(content(text).trusted.isEmpty)
  }
}
