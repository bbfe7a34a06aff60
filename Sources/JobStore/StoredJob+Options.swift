import JobCore

// The options of a submission in the table of jobs: one column for each.

extension Submission.Options {
  func bind(to statement: Statement) {
    var (options, binder) = (self, OptionBinder(statement: statement))
    options.code(with: &binder)
  }

  /// Reads the columns that `OptionColumns` names.
  init(reading statement: Statement, of number: JobNumber) throws(StoreError) {
    self.init(speaksPage: false)
    var reader = OptionReader(statement: statement, number: number)
    try code(with: &reader)
  }
}

/// The columns' names, in the order in which they are bound and read.
struct OptionColumns: OptionCoder {
  static let all: [String] = {
    var (options, columns) = (Submission.Options(speaksPage: false), OptionColumns())
    options.code(with: &columns)
    return columns.names
  }()

  private var names: [String] = []

  private mutating func add(_ name: OptionName) { names.append(name.column.description) }

  mutating func flag(_ flag: inout Bool, _ name: OptionName) { add(name) }
  mutating func count(_ count: inout Int, _ name: OptionName) { add(name) }
  mutating func bytes(_ bytes: inout UInt64, _ name: OptionName) { add(name) }
  mutating func span(_ span: inout Span, _ name: OptionName) { add(name) }
  mutating func span(_ span: inout Span?, _ name: OptionName) { add(name) }
  mutating func word<Word>(_ word: inout Word, _ name: OptionName) { add(name) }
  mutating func text(_ text: inout String?, _ name: OptionName) { add(name) }
  mutating func observation(_ observation: inout Observation, _ name: OptionName) { add(name) }
  mutating func group(_ group: inout GroupName?, _ name: OptionName) { add(name) }

  mutating func requirements(_ requirements: inout Requirements, _ name: OptionName) {
    requirements.code(with: &self)
  }
}

/// Binds them to a statement.
private struct OptionBinder: OptionCoder {
  let statement: Statement

  func flag(_ flag: inout Bool, _ name: OptionName) { statement.bind(flag ? 1 : 0) }
  func count(_ count: inout Int, _ name: OptionName) { statement.bind(Int64(count)) }
  func bytes(_ bytes: inout UInt64, _ name: OptionName) { statement.bind(unsigned: bytes) }

  func span(_ span: inout Span, _ name: OptionName) {
    statement.bind(unsigned: span.nanoseconds)
  }

  func span(_ span: inout Span?, _ name: OptionName) {
    statement.bind(unsigned: span?.nanoseconds)
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ word: inout Word, _ name: OptionName
  ) where Word.RawValue == String {
    statement.bind(word.rawValue)
  }

  func text(_ text: inout String?, _ name: OptionName) { statement.bind(text) }

  func observation(_ observation: inout Observation, _ name: OptionName) {
    statement.bind(observation.text)
  }

  func group(_ group: inout GroupName?, _ name: OptionName) { statement.bind(group?.text) }

  func requirements(_ requirements: inout Requirements, _ name: OptionName) {
    var binder = self
    requirements.code(with: &binder)
  }
}

/// Reads them from the current row.
private struct OptionReader: OptionCoder {
  typealias Failure = StoreError

  let statement: Statement
  let number: JobNumber

  func flag(_ flag: inout Bool, _ name: OptionName) { flag = statement.number() != 0 }

  func count(_ count: inout Int, _ name: OptionName) {
    count = statement.number(in: StoredJob.attempts)
  }

  func bytes(_ bytes: inout UInt64, _ name: OptionName) { bytes = statement.unsigned() }

  func span(_ span: inout Span, _ name: OptionName) {
    span = Span(nanoseconds: statement.unsigned())
  }

  func span(_ span: inout Span?, _ name: OptionName) {
    span = statement.optionalUnsigned().map { Span(nanoseconds: $0) }
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ word: inout Word, _ name: OptionName
  ) throws(StoreError) where Word.RawValue == String {
    word = try statement.choice(of: number, name.column.description)
  }

  func text(_ text: inout String?, _ name: OptionName) { text = statement.optionalText() }

  func observation(_ observation: inout Observation, _ name: OptionName) throws(StoreError) {
    let text = statement.text()
    guard let read = Observation(text: text) else {
      throw StoredJob.damaged(number, "the \(name.column) \"\(text)\"")
    }
    observation = read
  }

  func group(_ group: inout GroupName?, _ name: OptionName) throws(StoreError) {
    guard let text = statement.optionalText() else { return }
    guard let read = GroupName(text) else {
      throw StoredJob.damaged(number, "the group \"\(text)\"")
    }
    group = read
  }

  func requirements(_ requirements: inout Requirements, _ name: OptionName) throws(StoreError) {
    var reader = self
    try requirements.code(with: &reader)
  }
}
