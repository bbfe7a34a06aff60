package import JobCore

// The options of a submission on the wire.

extension JSONWriter {
  /// All of them, into the object that is open.
  mutating func value(_ options: Submission.Options) {
    var options = options
    options.code(with: &self)
  }
}

extension Submission.Options {
  /// Takes over what an object says of them.
  mutating func read(_ fields: JSONFields) throws(WireError) {
    var fields = fields
    try code(with: &fields)
  }
}

extension JSONWriter: OptionCoder {
  package mutating func flag(_ flag: inout Bool, _ name: OptionName, _ usual: Bool) {
    if !leavesOut(flag, name, usual) { field(name.field, flag) }
  }

  package mutating func count(_ count: inout Int, _ name: OptionName, _ usual: Int) {
    if !leavesOut(count, name, usual) { field(name.field, count) }
  }

  package mutating func bytes(_ bytes: inout UInt64, _ name: OptionName, _ usual: UInt64) {
    if !leavesOut(bytes, name, usual) { field(name.field, bytes) }
  }

  package mutating func span(_ span: inout Interval, _ name: OptionName, _ usual: Interval) {
    if !leavesOut(span, name, usual) { field(name.field, span.milliseconds) }
  }

  package mutating func span(_ span: inout Interval?, _ name: OptionName, _ usual: Interval?) {
    if !leavesOut(span, name, usual) { field(name.field, span?.milliseconds) }
  }

  package mutating func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ word: inout Word, _ name: OptionName, _ usual: Word
  ) where Word.RawValue == String {
    if !leavesOut(word, name, usual) { field(name.field, word.rawValue) }
  }

  package mutating func text(_ text: inout String?, _ name: OptionName, _ usual: String?) {
    if !leavesOut(text, name, usual) { field(name.field, text) }
  }

  package mutating func observation(
    _ observation: inout Observation, _ name: OptionName, _ usual: Observation
  ) {
    if !leavesOut(observation, name, usual) { field(name.field, observation.text) }
  }

  package mutating func group(
    _ group: inout GroupName?, _ name: OptionName, _ usual: GroupName?
  ) {
    if !leavesOut(group, name, usual) { field(name.field, group?.text) }
  }

  package mutating func counted(
    _ needs: inout [CountedNeed], _ name: OptionName, _ usual: [CountedNeed]
  ) {
    if leavesOut(needs, name, usual) { return }
    key(name.field)
    beginArray()
    for need in needs { value("\(need.name)=\(need.count)") }
    endArray()
  }

  package mutating func requirements(
    _ requirements: inout Requirements, _ name: OptionName, _ usual: Requirements
  ) {
    if leavesOut(requirements, name, usual) { return }
    key(name.field)
    beginObject()
    requirements.code(with: &self)
    endObject()
  }

  private func leavesOut<Value: Equatable>(
    _ value: Value, _ name: OptionName, _ usual: Value
  ) -> Bool {
    (name.isLate || leavesOutUsual) && value == usual
  }
}

extension JSONFields: OptionCoder {
  typealias Failure = WireError

  func flag(_ flag: inout Bool, _ name: OptionName, _ usual: Bool) throws(WireError) {
    flag = try optionalBool(name.text) ?? flag
  }

  func count(_ count: inout Int, _ name: OptionName, _ usual: Int) throws(WireError) {
    count = try optionalNumber(name.text) ?? count
  }

  func bytes(_ bytes: inout UInt64, _ name: OptionName, _ usual: UInt64) throws(WireError) {
    bytes = try optionalNumber(name.text) ?? bytes
  }

  func span(_ span: inout Interval, _ name: OptionName, _ usual: Interval) throws(WireError) {
    span = try self.span(name) ?? span
  }

  func span(_ span: inout Interval?, _ name: OptionName, _ usual: Interval?) throws(WireError) {
    span = try self.span(name) ?? span
  }

  func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ word: inout Word, _ name: OptionName, _ usual: Word
  ) throws(WireError) where Word.RawValue == String {
    word = try optionalChoice(name.text) ?? word
  }

  func text(_ text: inout String?, _ name: OptionName, _ usual: String?) throws(WireError) {
    text = try optionalString(name.text) ?? text
  }

  func observation(_ observation: inout Observation, _ name: OptionName, _ usual: Observation)
    throws(WireError)
  {
    guard let text = try optionalString(name.text) else { return }
    guard let read = Observation(text: text) else {
      throw WireError(
        .badFrame, "\(name.text) is \"\(text)\"; expected none, auto, make or pattern")
    }
    observation = read
  }

  func group(_ group: inout GroupName?, _ name: OptionName, _ usual: GroupName?) throws(WireError) {
    group = try optionalString(name.text).map { text throws(WireError) in
      try GroupName(checking: text)
    }
  }

  func counted(_ needs: inout [CountedNeed], _ name: OptionName, _ usual: [CountedNeed])
    throws(WireError)
  {
    guard contains(name.text) else { return }
    var requirements = Requirements()
    for text in try strings(name.text) { try RequirementText.apply(text, to: &requirements) }
    needs = requirements.counted
  }

  func requirements(_ requirements: inout Requirements, _ name: OptionName, _ usual: Requirements)
    throws(WireError)
  {
    guard var wanted = try optionalObject(name.text) else { return }
    try requirements.code(with: &wanted)
  }

  private func span(_ name: OptionName) throws(WireError) -> Interval? {
    try optionalNumber(name.text, as: UInt64.self).map { Interval.milliseconds($0) }
  }
}

extension OptionName {
  fileprivate var text: String { field.description }
}
