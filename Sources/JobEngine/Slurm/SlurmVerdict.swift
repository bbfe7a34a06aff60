internal import JobWire

/// The meaning of sbatch's answer.
package enum SlurmVerdict: Equatable {
  case accepted(id: String)
  /// It may have been accepted: the queue tells.
  case unknown(String)
  /// Not now, because of a limit.
  case later(String)
  case refused(String)

  package init(_ answer: SlurmAnswer) {
    let complaint = answer.complaint
    guard let code = answer.code else {
      self = .unknown(complaint)
      return
    }
    if code == 0 {
      let id = answer.output.prefix { (0x30...0x39).contains($0) }
      self =
        id.isEmpty
        ? .unknown("its answer is malformed")
        : .accepted(id: String(decoding: id, as: UTF8.self))
      return
    }
    let text = complaint.lowercased()
    if ["submit limit", "submitjob", "too many", "temporarily", "i/o error"].contains(
      where: text.holds)
    {
      self = .later(complaint)
    } else if [
      "timed out", "timeout", "socket", "communicat", "contact", "connect", "zero bytes",
      "controller", "resolve", "authentication", "munge", "credential",
    ].contains(where: text.holds) {
      self = .unknown(complaint)
    } else {
      self = .refused(complaint)
    }
  }
}
