import JobCore
import JobWire
import LinuxSystem

/// The texts of notices.
///
/// Services show a line and a few more: longer texts are cut.
enum NoticeText {
  private static let summaryLimit = 120
  private static let sentenceLimit = 240

  /// A question, with the command that answers it.
  static func question(_ job: JobStatus) -> NoticeOrder {
    var order = NoticeOrder(.show)
    order.summary = cut("\(job.title): continue?", summaryLimit)
    order.body = [
      "Job \(job.number)\(reason(job)). Answer with",
      "jobrun continue \(job.number)", "jobrun continue \(job.number) --no",
    ].joined(separator: "\n")
    order.icon = "dialog-question"
    order.urgency = NoticeRules.Urgency.critical.rawValue
    return order
  }

  /// The reason in the question, without the job's name.
  private static func reason(_ job: JobStatus) -> String {
    let (question, end) = (job.prompt?.question ?? "", ". Continue?")
    guard question.hasPrefix(job.title), question.hasSuffix(end) else {
      return " asks whether to continue"
    }
    return cut(String(question.dropFirst(job.title.count).dropLast(end.count)), sentenceLimit)
  }

  /// How a job ended, and where to look.
  static func end(_ job: JobStatus, lasted: Interval, _ urgency: NoticeRules.Urgency) -> NoticeOrder
  {
    var order = NoticeOrder(.show)
    let isSuccess = job.outcome == .succeeded
    let how = job.outcome?.rawValue ?? "ended"
    // "was" is used only for actions of others.
    let verb = [.cancelled, .interrupted, .refused].contains(job.outcome) ? "was \(how)" : how
    order.summary = cut("\(job.title) \(verb)", summaryLimit)
    var lines = ["Job \(job.number) ended after \(lasted.words)\(code(job))."]
    if let words = isSuccess ? job.message : job.stopReason?.message ?? job.message {
      lines.append(cut(words, sentenceLimit))
    }
    if !isSuccess { lines.append("jobrun log \(job.number)") }
    order.body = lines.joined(separator: "\n")
    order.icon = isSuccess ? "dialog-information" : "dialog-error"
    order.urgency = urgency.rawValue
    return order
  }

  /// The message of a program.
  static func program(_ title: String, _ body: String) -> NoticeOrder {
    var order = NoticeOrder(.show)
    order.summary = cut(title, summaryLimit)
    order.body = body.split(separator: "\n").prefix(8).map { cut(String($0), sentenceLimit) }
      .joined(separator: "\n")
    order.icon = "dialog-information"
    return order
  }

  /// One notice in place of too many.
  static func more(_ count: Int) -> NoticeOrder {
    var order = NoticeOrder(.show)
    order.summary = count == 1 ? "Another job has ended" : "\(count) more jobs have ended"
    order.body = "jobrun history"
    order.icon = "dialog-information"
    return order
  }

  private static func code(_ job: JobStatus) -> String {
    guard job.outcome == .failed else { return "" }
    if let signal = job.signal { return ", killed by \(Signal.name(signal))" }
    return job.exitCode.map { ", with exit code \($0)" } ?? ""
  }

  private static func cut(_ text: String, _ limit: Int) -> String {
    let shown = SafeText.shown(text)
    return shown.count > limit ? shown.prefix(limit - 1) + "…" : shown
  }
}
