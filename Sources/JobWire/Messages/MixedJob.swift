package import JobCore

/// One of many jobs of one submission that differ: what it is called, what is asked of it, and its command.
package struct MixedJob: Hashable, Sendable {
  package var title: String
  package var subtitle = ""
  /// The program as it was typed, which is shown in place of its path; nil = as it is executed.
  package var typed: String?
  package var options: Submission.Options
  /// The file that it reads, absolute; nil = no input.
  package var stdin: String?
  /// Where its outputs go (`OutputPath`); nil = to its log.
  package var stdout: String?
  package var stderr: String?
  /// Those of the same submission that have to succeed first, from 0; all come before it.
  package var after: [Int] = []
  /// Those that have to end first.
  package var afterAny: [Int] = []
  /// Those of which one has to succeed first.
  package var afterOne: [Int] = []
  package var command: OwnCommand

  package init(title: String, _ options: Submission.Options, _ command: OwnCommand) {
    self.title = title
    self.options = options
    self.command = command
  }

  package var member: Batch.Member {
    var member = Batch.Member(options)
    (member.after, member.afterAny, member.afterOne) = (after, afterAny, afterOne)
    return member
  }

  /// What is asked of it beyond what is asked of all.
  package func details(_ all: JobDetails) -> JobDetails {
    var details = all
    details.typed = typed
    if let stdin { details.input = .file(stdin) }
    details.stdout = stdout
    details.stderr = stderr
    if !command.variables.isEmpty {
      details.variables = command.variables.map { entry in
        String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      }
    }
    if let executed = details.executed {
      details.executed = ExecutedCommand(
        directory: command.directory.isEmpty ? Array(executed.directory.utf8) : command.directory,
        arguments: command.words)
    }
    return details
  }

  /// Appends it to what comes beside the request: an object with a NUL behind it, then its command.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.leavesOutUsual = true
    write(to: &writer)
    writer.finish(into: &bytes)
    bytes.append(0)
    bytes += command.packed
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
      job.command = OwnCommand(packed: bytes[start..<rest.startIndex])
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
    guard (after + afterAny + afterOne).allSatisfy({ (0..<place).contains($0) }) else {
      throw WireError(
        .usage, "the job \(title.quoted) comes after one that does not come before it")
    }
    guard command.words.first?.isEmpty == false else {
      throw WireError(.usage, "the job \(title.quoted) has no command")
    }
    try details(JobDetails()).check()
    guard !options.kind.isScheduled, options.strategy == .queue, options.ifExists == .refuse else {
      throw WireError(
        .usage,
        "many jobs of one submission cannot be scheduled, or be required to start at once")
    }
  }
}

extension MixedJob: Coded {
  package init() { self.init(title: "", Submission.Options(speaksPage: false), OwnCommand([])) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    _ = try coder.coded(command.packed.count { $0 == 0 }, "words")
    try coder.code(&title, "title")
    try coder.code(&subtitle, "subtitle", usual: "")
    try coder.code(&typed, "typed")
    try coder.code(&after, "after", usual: [])
    try coder.code(&afterAny, "afterAny", usual: [])
    try coder.code(&afterOne, "afterOne", usual: [])
    try coder.code(&stdin, "stdin")
    try coder.code(&stdout, "stdout")
    try coder.code(&stderr, "stderr")
    try options.code(with: &coder)
  }
}
