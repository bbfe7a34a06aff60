/// The samples of a job that showed changes, by the driver's count of samples of all jobs.
package struct ChangeMarker: Hashable {
  /// The newest one.
  package var moved: UInt64 = 0
  /// The newest one that showed more than other progress: texts, a pause, a warning.
  package var spoke: UInt64 = 0

  package init() {}
}
