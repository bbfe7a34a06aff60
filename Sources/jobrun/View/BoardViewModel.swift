import JobCore
import JobWire

/// One row of `jobrun watch`.
struct BoardItem: Hashable, Sendable {
  var row: BoardRow
  var model: JobViewModel
  /// Whether the jobs of a batch stand below it; nil for a job.
  var isOpen: Bool?
  /// Whether it stands below its batch, with the part of its title that differs.
  var isMember = false
  var isMarked = false
  /// Whether it has failed since the last `jobrun watch`.
  var isNew = false
}

/// The content of `jobrun watch` at one instant; a value, so that drawing can be tested.
struct BoardViewModel: Hashable, Sendable {
  /// One kind of rows, as many as may be visible.
  struct Section: Hashable, Sendable {
    /// The number of all rows.
    var count = 0
    /// The number of rows before the visible ones.
    var first = 0
    var items: [BoardItem] = []
  }

  /// A question in the last line, with the keys that answer it.
  struct Question: Hashable, Sendable {
    var text: String
    /// Always said in full.
    var keys = " [y/n]"
  }

  var pane = BoardPane.jobs
  var filter = TypedText()
  /// What is searched for in a log.
  var search = TypedText()
  /// The visible lines of a log, and which part they are, unless it is the end.
  var log: [Line] = []
  var logPlace: String?
  var active = Section()
  var queued = Section()
  var ended = Section()
  /// How many jobs there are of each kind.
  var running = 0
  var paused = 0
  var waiting = 0
  var marked = 0
  /// Jobs with an open question.
  var asking = 0
  /// Jobs that have failed since the last `jobrun watch`, and when that was.
  var failed = 0
  var lookedAt: WallTime?
  var selected: BoardRow?
  /// The job whose pane is open.
  var opened: BoardItem?
  var takesKeys = false
  var isLost = false
  var isReading = false
  /// What is asked before something is done with jobs.
  var question: Question?
  /// The title that is being typed, and of which job.
  var retitling: JobBoard.Retitling?
  /// The result of an action, or why it failed.
  var notice: String?

  var selectedItem: BoardItem? {
    opened ?? (active.items + queued.items + ended.items).first { $0.row == selected }
  }
}

extension BoardViewModel.Section {
  /// At most `height` of `rows`, including the selected one if it is among them.
  init(
    _ rows: [BoardRow], around selected: BoardRow?, rows height: Int,
    item: (BoardRow) -> BoardItem?
  ) {
    let place = selected.flatMap { rows.firstIndex(of: $0) } ?? 0
    count = rows.count
    first = max(0, min(place - height / 2, rows.count - height))
    items = rows.dropFirst(first).prefix(height).compactMap(item)
  }
}
