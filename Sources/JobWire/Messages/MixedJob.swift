package import JobCore

/// One of many jobs of one submission that differ: what it is called, what is asked of it, and its words.
package struct MixedJob: Hashable, Sendable {
  package var title: String
  package var subtitle = ""
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
    var writer = JSONWriter()
    writer.leavesOutUsual = true
    writer.beginObject()
    writer.field("words", words.count { $0 == 0 })
    writer.field("title", title)
    if !subtitle.isEmpty { writer.field("subtitle", subtitle) }
    if !after.isEmpty { writer.field("after", indices: after) }
    if !afterAny.isEmpty { writer.field("afterAny", indices: afterAny) }
    writer.value(options)
    writer.endObject()
    bytes += writer.bytes
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
      for _ in 0..<(try fields.number("words", as: UInt32.self)) {
        guard let end = rest.firstIndex(of: 0) else { break }
        rest = rest[(end + 1)...]
      }
      jobs.append(try MixedJob(fields, words: Array(bytes[start..<rest.startIndex]), jobs.count))
    }
    guard jobs.count == count, rest.isEmpty else {
      throw WireError(.badFrame, "\(count) jobs came as \(jobs.count)")
    }
    return jobs
  }

  private init(_ fields: JSONFields, words: [UInt8], _ place: Int) throws(WireError) {
    var options = Submission.Options(speaksPage: false)
    try options.read(fields)
    try options.check()
    self.init(title: try fields.string("title"), options, words: words)
    subtitle = try fields.optionalString("subtitle") ?? ""
    after = try fields.indices("after", below: place)
    afterAny = try fields.indices("afterAny", below: place)
    try SubmitRequest.checkTitle(title)
    try SubmitRequest.checkShown(subtitle, name: "subtitle")
    guard !words.isEmpty else { throw WireError(.usage, "the job \(title.quoted) has no command") }
    guard !options.kind.isScheduled, options.strategy == .queue, options.ifExists == .refuse else {
      throw WireError(
        .usage,
        "many jobs of one submission cannot be scheduled, or be"
          + " required to start at once")
    }
  }
}

extension JSONFields {
  fileprivate func indices(_ name: String, below limit: Int) throws(WireError) -> [Int] {
    var indices: [Int] = []
    for element in try array(name) {
      guard case .natural(let value) = element, value < UInt64(limit) else {
        throw WireError(.usage, "\(name) names a job that does not come before")
      }
      indices.append(Int(value))
    }
    return indices
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ name: StaticString, indices: [Int]) {
    key(name)
    beginArray()
    for index in indices { value(UInt64(index)) }
    endArray()
  }
}
