/// The unit of a task's progress.
public enum ProgressUnit: Hashable, Sendable {
  /// Files, pages, frames: shown as plain numbers.
  case items
  /// Bytes: shown as MB and MB/s.
  case bytes
}
