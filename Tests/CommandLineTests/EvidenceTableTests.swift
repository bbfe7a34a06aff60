import JobCore
import JobWire
import Testing

@testable import jobrun

struct EvidenceTableTests {
  private func evidence(
    _ second: Int64, attempt: Int = 1, _ progress: JobProgress?, line: String? = nil
  ) -> ProgressEvidence {
    var progress = progress
    progress?.line = line
    return ProgressEvidence(
      at: WallTime(milliseconds: 1_774_000_000_000 + second * 1_000), attempt: attempt,
      progress: progress)
  }

  @Test func `each change is a line with its share, amount, rule and line`() {
    let count = JobProgress(
      completed: 12, total: 100, source: .output, recogniser: "tqdm", note: "phase 2")
    let file = JobProgress(
      completed: 5_000_000, total: 10_000_000, unit: .bytes, source: .file,
      recogniser: "reading big", note: "reading big")
    let rows = EvidenceTable.lines([
      evidence(0, count, line: "12%|# | 12/100\u{1B}[1m"), evidence(1, nil),
      evidence(2, attempt: 2, file),
    ]).map { $0.hasPrefix("attempt") ? $0 : String($0.dropFirst(8)) }
    #expect(
      rows == [
        "   12 %  12/100       tqdm, phase 2  12%|# | 12/100[1m",
        "                      nothing sure", "attempt 2",
        "   50 %  5.0/10.0 MB  reading big",
      ])
  }
}
