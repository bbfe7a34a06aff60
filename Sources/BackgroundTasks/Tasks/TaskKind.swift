internal import JobCore

/// Which class a task has; the raw values are those of `kind` in a definition and of `JOBRUN_KIND`.
typealias TaskKind = Submission.Kind
