import JobCore
import JobWire
import Testing

@Suite struct ProgressEvidenceTests {
  private static let rows: [ProgressEvidence] = [
    ProgressEvidence(
      at: WallTime(milliseconds: 1_774_000_000_000), attempt: 1,
      progress: {
        var progress = JobProgress(
          completed: 3, total: 9, source: .output, recogniser: "tqdm", note: "phase 2")
        progress.line = "a \"b\"\u{1B}[1m 3/9\n"
        return progress
      }()),
    ProgressEvidence(at: WallTime(milliseconds: 1_774_000_001_000), attempt: 2, progress: nil),
  ]

  private static let text = String(decoding: rows.flatMap(\.line), as: UTF8.self)

  @Test func `it is read as it was written`() {
    #expect(ProgressEvidence.all(in: Self.text) == Self.rows)
  }

  @Test func `lines that are none are left out`() {
    let rubbish =
      "\n{}\nnot JSON\n{\"at\":7}\n[]\n{\"at\":\"2026-01-01T00:00:00Z\",\"attempt\":-99999999999999999999}\n"
    #expect(ProgressEvidence.all(in: rubbish + Self.text + "{\"at\":\"2026") == Self.rows)
  }
}
