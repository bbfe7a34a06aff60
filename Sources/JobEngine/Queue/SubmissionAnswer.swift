internal import JobWire

/// The meaning of the answer to a submission.
package enum SubmissionAnswer: Equatable {
  case accepted(id: String)
  /// It may have been accepted: the queue tells.
  case unknown(String)
  /// Not now, because of a limit.
  case later(String)
  case refused(String)

  /// `id`: the number in the answer, if any.
  package init(_ answer: QueueAnswer, id: String?) {
    let complaint = answer.complaint
    guard let code = answer.code else {
      self = .unknown(complaint)
      return
    }
    if code == 0 {
      self = id.map { .accepted(id: $0) } ?? .unknown("its answer is malformed")
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
