internal import JobWire

/// What Slurm says of one job by its number, which outlives a queue that shows nothing.
package enum SlurmWhereabouts: Equatable {
  /// It was not answered.
  case unknown
  /// Slurm has no such job, or another one of that number.
  case nowhere
  case there
  /// It is over, in this state.
  case over(String)

  /// Of `scontrol --oneliner show job`; `name`: what the job must be called.
  package init(_ answer: SlurmAnswer, name: String?) {
    guard answer.code == 0 else {
      self = answer.complaint.holds("Invalid job id") ? .nowhere : .unknown
      return
    }
    // An element of an array may be told with its siblings.
    let lines = answer.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let states = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      if let name, !words.contains(where: { $0 == "JobName=\(name)" }) { return nil }
      return words.first { $0.hasPrefix("JobState=") }.map { String($0.dropFirst(9)) }
    }
    let rows = states.map { SqueueRow(id: "", name: "", state: $0) }
    if rows.isEmpty {
      self = lines.isEmpty ? .unknown : .nowhere
    } else if let over = rows.first, rows.allSatisfy({ $0.isOver }) {
      self = .over(over.state)
    } else {
      self = .there
    }
  }
}
