package import JobCore

/// The jobs that a request is about.
package enum JobTarget: Hashable, Sendable {
  case one(JobReference)
  case some(JobSelection)
  /// All jobs to which the request applies.
  case all

  package var selection: JobSelection? {
    if case .some(let selection) = self { selection } else { nil }
  }
}

extension JobTarget: Coded {
  package init() { self = .one(JobReference()) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    if !coder.isReading {
      switch self {
      case .one(let reference): _ = try coder.coded(reference, "ref")
      case .some(let some): _ = try coder.selection(some)
      case .all: _ = try coder.coded(true, "all")
      }
    } else if coder.has("ref") {
      // Of several targets the narrowest counts: a mistaken client must not end more than it names.
      self = .one(try coder.coded(JobReference(), "ref"))
    } else if let some = try coder.selection(nil) {
      self = .some(some)
    } else if try coder.coded(false, "all", usual: false) {
      self = .all
    } else {
      self = .one(try coder.coded(JobReference(), "ref"))
    }
  }
}

extension FieldCoder {
  /// Jobs whose numbers follow on each other, or those of a group; nil when none are named.
  mutating func selection(_ some: JobSelection?) throws(Failure) -> JobSelection? {
    var range: JobRange?
    var group: GroupName?
    switch some {
    case .range(let some): range = some
    case .group(let some): group = some
    case nil: break
    }
    group = try coded(group, "group")
    let first = try coded(range?.first, "first")
    let count = try coded(range?.count, "count")
    if let group { return .group(group) }
    return first.map { .range(JobRange(first: $0, count: count ?? 0)) }
  }
}

extension JobSelection {
  func validate() throws(WireError) {
    guard case .range(let range) = self else { return }
    guard range != JobRange(first: JobNumber(0), count: 0) else {
      throw WireError(.usage, "it names no jobs; \"group\", or \"first\" and \"count\", is missing")
    }
    guard range.first.isPossible, (1...Limits.jobsAtOnce).contains(range.count) else {
      throw WireError(
        .usage,
        "\(range.count) jobs from \(range.first) on are not a range;"
          + " a range has 1 to \(Limits.jobsAtOnce) jobs")
    }
  }
}

extension JobReference: FieldRepresentable {
  /// A value that reading replaces.
  init() { self = .latest(back: 0) }

  package var field: String { description }

  package init(field: String) throws(WireError) { try self.init(field) }
}
