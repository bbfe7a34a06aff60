import Foundation
import JobPage
import LinuxSystem
import TestKit
import Testing

struct PageDocumentTests {
  private func document() throws -> String {
    let path = "\(BuiltProducts.packageRoot)/Sources/JobPage/page.md"
    return String(decoding: try File.readAll(path), as: UTF8.self)
  }

  @Test func `the document's table is the layout`() throws {
    let rows = try document().split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
      guard cells.count == 5, Int(cells[0]) != nil else { return nil }
      return "\(cells[0]) \(cells[1]) \(cells[3])"
    }
    typealias Layout = PageLayout
    #expect(
      rows == [
        "\(Layout.magic) 8bytes magic", "\(Layout.versionNumber) u32 versionNumber",
        "\(Layout.pageSize) u32 pageSize", "\(Layout.jobNumber) u64 jobNumber",
        "\(Layout.attempt) u64 attempt", "\(Layout.completed) u64 completed",
        "\(Layout.total) u64 total", "\(Layout.reports) u64 reports", "\(Layout.unit) u32 unit",
        "\(Layout.quietUntil) u64 quietUntil", "\(Layout.textSequence) u64 textSequence",
        "\(Layout.title) text title", "\(Layout.subtitle) text subtitle",
        "\(Layout.control) u32 control", "\(Layout.stopReason) u32 stopReason",
        "\(Layout.stopDeadline) u64 stopDeadline", "\(Layout.pauseMark) u64 pauseMark",
        "\(Layout.pausedSince) u64 pausedSince", "\(Layout.keepsSlot) u32 keepsSlot",
        "\(Layout.stopSignal) u32 stopSignal",
        "\(Layout.pausedBefore) u64 pausedBefore", "\(Layout.begun) u32 begun",
        "\(Layout.pausedUntil) u64 pausedUntil", "\(Layout.outcome) u32 outcome",
        "\(Layout.deferSeconds) u32 deferSeconds", "\(Layout.message) text message",
      ])
  }

  @Test func `the layout is the published one`() {
    // A changed offset would break every program written for version 1.
    #expect(PageLayout.size == 4096 && PageLayout.version == 1 && PageLayout.textBytes == 253)
    #expect((PageLayout.completed, PageLayout.total, PageLayout.reports) == (64, 72, 80))
    #expect((PageLayout.unit, PageLayout.quietUntil) == (88, 96))
    #expect((PageLayout.textSequence, PageLayout.title, PageLayout.subtitle) == (128, 136, 392))
    #expect(
      (PageLayout.control, PageLayout.stopReason, PageLayout.stopDeadline) == (1024, 1028, 1032))
    #expect(
      (PageLayout.pauseMark, PageLayout.pausedSince, PageLayout.keepsSlot) == (1040, 1048, 1056))
    #expect(
      (PageLayout.stopSignal, PageLayout.pausedBefore, PageLayout.begun) == (1060, 1064, 1072))
    #expect(PageLayout.pausedUntil == 1080)
    #expect((PageLayout.outcome, PageLayout.deferSeconds, PageLayout.message) == (1088, 1092, 1096))
  }

  /// The example runs where there is a Python; elsewhere only its offsets are compared.
  @Test func `the document's example reports what it says`() throws {
    let scratch = try Scratch()
    let page = try scratch.page()
    let parts = try document().split(separator: "```", omittingEmptySubsequences: false)
    let example = try #require(parts.first { $0.hasPrefix("python\n") }).dropFirst(7)
    for offset in [
      PageLayout.completed, PageLayout.total, PageLayout.reports, PageLayout.unit,
      PageLayout.control, PageLayout.textSequence, PageLayout.outcome, PageLayout.subtitle,
      PageLayout.message,
    ] {
      #expect(example.contains("\(offset)"))
    }
    var environment = ProcessInfo.processInfo.environment
    environment["JOBRUN_PAGE"] = page
    let python = try? TestKit.ChildProcess(
      "python3", ["-c", String(example)], environment: environment)
    guard let python else { return }
    #expect(try python.wait().status == 0)
    var reader = try PageReader(path: page)
    let snapshot = reader.snapshot()
    #expect((snapshot.completed, snapshot.total) == (10, 10))
    #expect(snapshot.subtitle == "part 10 of 10")
    #expect(snapshot.textSequence == 20)
    #expect((snapshot.outcome, snapshot.message) == (.success, "all parts done"))
  }
}
