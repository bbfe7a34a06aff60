internal import JobWire

extension QueueWhereabouts {
  /// From `scontrol --oneliner show job`; `name`: the expected name of the job.
  package init(slurm answer: QueueAnswer, name: String?) {
    guard answer.code == 0 else {
      self = answer.complaint.holds("Invalid job id") ? .nowhere : .unknown
      return
    }
    // An element of an array may be listed with its siblings.
    let lines = answer.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let rows = lines.compactMap { line -> QueueRow? in
      let words = line.split(separator: " ")
      func value(of key: String) -> String? {
        words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
      }
      if let name, value(of: "JobName") != name { return nil }
      guard let state = value(of: "JobState") else { return nil }
      return SqueueRow.row(id: "", name: "", state: state, node: value(of: "NodeList") ?? "")
    }
    if rows.isEmpty {
      self = lines.isEmpty ? .unknown : .nowhere
    } else if var over = rows.first, rows.allSatisfy({ $0.isOver }) {
      over.hasNode = rows.contains { $0.hasNode }
      self = .over(over)
    } else {
      self = .there
    }
  }
}
