/// What became of pushes, in numbers.
package struct PushTally: Hashable, Sendable {
  /// Accepted as jobs of their own.
  package var accepted = 0
  /// Taken into one that waited.
  package var coalesced = 0
  /// Refused: a person's settings, or the budget.
  package var dropped = 0
  package var subscriptions = Subscriptions()

  package init() {}

  /// What comes over streams of events.
  package struct Subscriptions: Hashable, Sendable {
    /// Addresses that are listened to, and of these, how many answer.
    package var streams = 0
    package var open = 0
    package var events = 0
    /// Of what came, what was no event of a push.
    package var garbage = 0
    /// Why the last that failed did so.
    package var trouble: String?

    package init() {}

    /// One line of JSON, as the process that listens tells it.
    package init(line: ArraySlice<UInt8>) throws(WireError) {
      try self.init(try JSONFields(line: line))
    }

    init(_ fields: JSONFields) throws(WireError) {
      streams = try fields.optionalNumber("streams") ?? 0
      open = try fields.optionalNumber("open") ?? 0
      events = try fields.optionalNumber("events") ?? 0
      garbage = try fields.optionalNumber("garbage") ?? 0
      trouble = try fields.optionalString("trouble")
    }

    /// The same line, newline included.
    package var line: [UInt8] {
      var writer = JSONWriter()
      writer.beginObject()
      writer.fields(self)
      writer.endObject()
      return writer.bytes + [UInt8(ascii: "\n")]
    }
  }
}

extension PushTally {
  init(_ fields: JSONFields) throws(WireError) {
    accepted = try fields.optionalNumber("accepted") ?? 0
    coalesced = try fields.optionalNumber("coalesced") ?? 0
    dropped = try fields.optionalNumber("dropped") ?? 0
    subscriptions = try Subscriptions(fields)
  }
}

extension JSONWriter {
  fileprivate mutating func fields(_ subscriptions: PushTally.Subscriptions) {
    field("streams", subscriptions.streams)
    field("open", subscriptions.open)
    field("events", subscriptions.events)
    field("garbage", subscriptions.garbage)
    field("trouble", subscriptions.trouble)
  }

  mutating func value(_ tally: PushTally) {
    beginObject()
    field("accepted", tally.accepted)
    field("coalesced", tally.coalesced)
    field("dropped", tally.dropped)
    fields(tally.subscriptions)
    endObject()
  }
}
