import JobClient
import JobCore
import JobWire

extension Program {
  /// Adds the job's prerequisites; asks the runner only if there are any.
  func takePrerequisites(
    _ invocation: Invocation, on link: RunnerLink, into request: inout SubmitRequest
  ) throws(WireError) {
    request.after = try jobs(that: .after, names: invocation.words(.after), on: link)
    request.afterAny = try jobs(that: .afterAny, names: invocation.words(.afterAny), on: link)
    request.afterOne = try jobs(that: .afterOne, names: invocation.words(.afterOne), on: link)
  }

  /// The jobs in a flag's value: `12`, `@`, `7-9`, `group:NAME`.
  func jobs(
    that flag: Flag, names words: [String], on link: RunnerLink
  ) throws(WireError) -> [JobNumber] {
    var numbers: Set<JobNumber> = []
    for word in words {
      do throws(WireError) {
        switch try JobOperand(Argument(word)) {
        case .one(let word): numbers.insert(try job(word, on: link).number)
        case .several(.range(let range)):
          guard range.count <= Limits.prerequisites else { throw Self.tooMany(range.count) }
          numbers.formUnion((range.first.value...range.last.value).map { JobNumber($0) })
        case .several(.group(let group)):
          numbers.formUnion(try members(of: group, on: link))
        }
      } catch {
        throw WireError(error.code, "\(flag.spelling): \(error.message)")
      }
    }
    guard numbers.count <= Limits.prerequisites else { throw Self.tooMany(numbers.count) }
    return numbers.sorted()
  }

  private static func tooMany(_ count: Int) -> WireError {
    WireError(.usage, "it names \(count) jobs; \(Limits.prerequisites) is the limit")
  }

  /// The group's live jobs and all submitted since the oldest of them, otherwise its latest submission.
  ///
  /// A failure of a week ago is not worth waiting for.
  private func members(of group: GroupName, on link: RunnerLink) throws(WireError) -> [JobNumber] {
    var jobs: [JobStatus] = []
    _ = try link.list(all: true, brief: true, of: group) { job in
      jobs.append(job)
      return true
    }
    let live = jobs.filter { $0.state != .ended }
    guard let since = live.map({ $0.submitted }).min() ?? jobs.map({ $0.submitted }).max() else {
      throw WireError(.notFound, "no job of group \(group) is known")
    }
    return jobs.filter { $0.submitted >= since }.map { $0.number }
  }
}
