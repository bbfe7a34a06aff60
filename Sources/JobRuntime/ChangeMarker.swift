/// The looks at a job that showed something new of it; the driver counts those at all jobs.
package struct ChangeMarker: Hashable {
  /// The newest of them.
  package var moved: UInt64 = 0
  /// The newest that showed more than another progress: words, a pause, a warning.
  package var spoke: UInt64 = 0

  package init() {}
}
