package import JobCore
package import JobWire

/// The shared key of a batch's jobs, which are accepted at once, with consecutive numbers and identifiers
/// (`Batch`).
package struct BatchKey: Hashable, Sendable {
  private let stem: String
  /// The number before that of the first job.
  private let before: UInt64
  private let submitted: WallTime

  /// Nil for a job that was submitted alone.
  package init?(_ job: JobStatus) {
    let identifier = job.identifier
    guard let dot = identifier.lastIndex(of: "."),
      let place = UInt64(identifier[identifier.index(after: dot)...]), place > 0,
      place <= job.number.value
    else { return nil }
    stem = String(identifier[..<dot])
    before = job.number.value - place
    submitted = job.submitted
  }

  /// A job's position in the batch, from 1.
  package func place(of number: JobNumber) -> Int { Int(clamping: number.value - before) }

  /// The first `count` jobs of the batch.
  package func range(count: Int) -> JobRange {
    JobRange(first: JobNumber(before + 1), count: count)
  }
}

/// The common part of the titles of a batch's jobs.
package struct BatchTitle: Hashable, Sendable {
  /// In whole words, with `…` for what differs.
  package let text: String
  /// The number of shared characters of each title.
  package let sharedCount: Int

  /// That of one more title; `isPart`: `shared` is the common part of several.
  package init(shared: BatchTitle, _ isPart: Bool, with title: String) {
    guard isPart, shared.sharedCount > 0 else {
      self = isPart && shared.text.hasSuffix("…") ? shared : BatchTitle([shared.text, title])
      return
    }
    let part = shared.text.dropLast()
    self = title.hasPrefix(part) ? shared : BatchTitle([String(part), title])
  }

  package init(_ titles: [String]) {
    guard let first = titles.first, titles.contains(where: { $0 != first }) else {
      (text, sharedCount) = (titles.first ?? "", 0)
      return
    }
    var shared = Substring(first)
    for title in titles.dropFirst() {
      shared = shared.prefix(zip(shared, title).prefix { $0 == $1 }.count)
    }
    guard let space = shared.lastIndex(of: " ") else {
      (text, sharedCount) = (shared.isEmpty ? first + " …" : shared + "…", 0)
      return
    }
    text = shared[..<space] + " …"
    sharedCount = shared.distance(from: shared.startIndex, to: space) + 1
  }
}
