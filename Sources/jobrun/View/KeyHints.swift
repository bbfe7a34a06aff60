import JobCore
import JobWire

/// The keys for the selection, the most important first.
struct KeyHints {
  private var hints: [String] = []
  /// Always said.
  private let last: [String]

  init(_ model: BoardViewModel) {
    let item = model.selectedItem
    let job = item?.model.job
    let isBatch = item?.isOpen != nil
    let isEnded = job?.state == .ended
    switch model.pane {
    case .job: last = ["Esc back", "? keys", "q all jobs"]
    case .jobs: last = ["? keys", "q leave"]
    case .keys, .log: last = []
    }
    if job?.prompt != nil { hints.append("y/n answer") }
    if model.pane == .jobs {
      hints.append(isBatch ? item?.isOpen == true ? "Enter close" : "Enter open" : "Enter open")
      if model.marked > 0 {
        hints.append("Esc unmark")
      } else if !model.filter.isEmpty {
        hints.append("Esc all jobs")
      }
    }
    if !isEnded || model.marked > 0 {
      hints.append("c cancel")
      if job?.state == .queued {
        hints.append("t next")
      } else {
        hints.append(job?.state == .paused ? "p resume" : "p pause")
      }
    } else if !isBatch {
      hints.append("r run again")
    }
    if !isBatch { hints.append("l log") }
    if model.ended.items.contains(where: { $0.model.job.hasFailed || $0.isNew }) {
      hints.append("f failed")
    }
    guard model.pane == .jobs else { return }
    if model.filter.isEmpty { hints.append("/ filter") }
    if !isEnded { hints.append("Space mark") }
    hints += ["i mark the others", "s sort"]
  }

  /// As many as there is room for.
  func line(width: Int) -> Line {
    for (gap, isWide) in [(3, true), (2, false)] {
      let blank = String(repeating: " ", count: gap)
      for count in stride(from: hints.count, through: 0, by: -1) {
        let text = (hints.prefix(count) + last).joined(separator: blank)
        if TextWidth.of(text) <= width, count == hints.count || !isWide {
          return Line(text, .faint)
        }
      }
    }
    return BoardView.fitting(["? keys  q", "? q"], width: width)
  }
}
