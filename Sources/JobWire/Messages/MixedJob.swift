package import JobCore

/// One of many jobs of one submission that differ: what it is called, what is asked of it, and its words.
package struct MixedJob: Hashable, Sendable {
  package var title: String
  package var subtitle = ""
  /// The program as it was typed, which is shown in place of its path; nil = as it is executed.
  package var typed: String?
  package var options: Submission.Options
  /// Those of the same submission that have to succeed first, from 0; all come before it.
  package var after: [Int] = []
  /// Those that have to end first.
  package var afterAny: [Int] = []
  /// What it executes, each word with a NUL behind it.
  package var words: [UInt8]

  package init(title: String, _ options: Submission.Options, words: [UInt8]) {
    self.title = title
    self.options = options
    self.words = words
  }

  package var member: Batch.Member {
    var member = Batch.Member(options)
    (member.after, member.afterAny) = (after, afterAny)
    return member
  }

  /// Appends it to what comes beside the request: an object with a NUL behind it, then its words.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.leavesOutUsual = true
    write(to: &writer)
    writer.finish(into: &bytes)
    bytes.append(0)
    bytes += words
  }

  /// Reads what `append` wrote of so many.
  ///
  /// - Throws: `badFrame` or `usage`, with a sentence about the first thing that is wrong.
  package static func all(in bytes: [UInt8], count: Int) throws(WireError) -> [MixedJob] {
    var jobs: [MixedJob] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0), jobs.count < count else { break }
      let fields = try JSONFields(line: rest[..<end])
      rest = rest[(end + 1)...]
      let start = rest.startIndex
      let words: UInt32 = try fields.required("words")
      for _ in 0..<words {
        guard let end = rest.firstIndex(of: 0) else { break }
        rest = rest[(end + 1)...]
      }
      var job = try MixedJob(fields)
      job.words = Array(bytes[start..<rest.startIndex])
      try job.check(place: jobs.count)
      jobs.append(job)
    }
    guard jobs.count == count, rest.isEmpty else {
      throw WireError(.badFrame, "\(count) jobs came as \(jobs.count)")
    }
    return jobs
  }

  /// `place`: how many of the same submission come before it.
  private func check(place: Int) throws(WireError) {
    try options.check()
    try SubmitRequest.checkTitle(title)
    try SubmitRequest.checkShown(subtitle, name: "subtitle")
    guard (after + afterAny).allSatisfy({ (0..<place).contains($0) }) else {
      throw WireError(
        .usage, "the job \(title.quoted) comes after one that does not come before it")
    }
    guard !words.isEmpty else { throw WireError(.usage, "the job \(title.quoted) has no command") }
    guard !options.kind.isScheduled, options.strategy == .queue, options.ifExists == .refuse else {
      throw WireError(
        .usage,
        "many jobs of one submission cannot be scheduled, or be required to start at once")
    }
  }
}

extension MixedJob: Coded {
  package init() { self.init(title: "", Submission.Options(speaksPage: false), words: []) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    _ = try coder.coded(words.count { $0 == 0 }, "words")
    try coder.code(&title, "title")
    try coder.code(&subtitle, "subtitle", usual: "")
    try coder.code(&typed, "typed")
    try coder.code(&after, "after", usual: [])
    try coder.code(&afterAny, "afterAny", usual: [])
    try options.code(with: &coder)
  }
}
