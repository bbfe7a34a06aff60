package import JobCore

/// One event as it is stored.
package struct EventRow: Hashable, Sendable {
  package var sequence: UInt64
  /// Wall time in milliseconds since 1970.
  package var atMilliseconds: Int64
  package var number: JobNumber
  /// The raw value of `Announcement.Kind`.
  package var kind: String
  /// The job object as it was then, as JSON.
  package var job: [UInt8]
}
