package import JobCore

/// A stored event.
package struct EventRow: Hashable, Sendable {
  package var sequence: UInt64
  /// Wall time in milliseconds since 1970.
  package var atMilliseconds: Int64
  package var number: JobNumber
  /// The raw value of `Announcement.Kind`.
  package var kind: String
  /// The job object at that time, as JSON.
  package var job: [UInt8]
}
