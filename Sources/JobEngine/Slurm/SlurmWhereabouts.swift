internal import JobWire

/// The state of one job by its number, which Slurm knows even when the queue shows nothing.
package enum SlurmWhereabouts: Equatable {
  /// No answer.
  case unknown
  /// Slurm has no such job, or another one of that number.
  case nowhere
  case there
  /// It is over, in this state; whether it had a node.
  case over(String, hadNode: Bool)

  /// From `scontrol --oneliner show job`; `name`: the expected name of the job.
  package init(_ answer: SlurmAnswer, name: String?) {
    guard answer.code == 0 else {
      self = answer.complaint.holds("Invalid job id") ? .nowhere : .unknown
      return
    }
    // An element of an array may be listed with its siblings.
    let lines = answer.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let rows = lines.compactMap { line -> SqueueRow? in
      let words = line.split(separator: " ")
      func value(of key: String) -> String? {
        words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
      }
      if let name, value(of: "JobName") != name { return nil }
      guard let state = value(of: "JobState") else { return nil }
      var row = SqueueRow(id: "", name: "", state: state)
      row.node = value(of: "NodeList") ?? ""
      return row
    }
    if rows.isEmpty {
      self = lines.isEmpty ? .unknown : .nowhere
    } else if let over = rows.first, rows.allSatisfy({ $0.isOver }) {
      self = .over(over.state, hadNode: rows.contains { $0.hasNode })
    } else {
      self = .there
    }
  }
}
