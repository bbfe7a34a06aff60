/// Which class a task has; the raw values are those of `kind` in a definition and of `JOBRUN_KIND`.
enum TaskKind: String, Hashable, Sendable, CaseIterable {
  case continued, processing, refresh
}
