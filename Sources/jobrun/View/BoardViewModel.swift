import JobCore
import JobWire

/// One row of `jobrun watch`.
struct BoardItem: Hashable, Sendable {
  var row: BoardRow
  var glance: JobViewModel
  /// Whether the jobs of a batch stand below it; nil for a job.
  var isOpen: Bool?
  /// It stands below its batch, and is called by what the others are not.
  var isMember = false
  var isMarked = false
  /// It has failed since somebody looked last.
  var isNew = false
}

/// All that `jobrun watch` shows at one instant; a value, so that what is drawn can be tested.
struct BoardViewModel: Hashable, Sendable {
  /// One kind of rows, as many of them as may be seen.
  struct Section: Hashable, Sendable {
    /// All there are.
    var count = 0
    /// How many stand before those at hand.
    var first = 0
    var items: [BoardItem] = []
  }

  var pane = BoardPane.jobs
  var filter = BoardFilter()
  /// The end of the log that is shown, and how many of its lines stand below the screen.
  var log: [Line] = []
  var linesBelow = 0
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
  /// Jobs that have failed since somebody looked last, and when that was.
  var failed = 0
  var lookedAt: WallTime?
  var selected: BoardRow?
  /// The job whose pane is open.
  var opened: BoardItem?
  var takesKeys = false
  var isLost = false
  /// What a person is asked before jobs are stopped.
  var question: String?
  /// What was done, or why it was not.
  var notice: String?

  var selectedItem: BoardItem? {
    opened ?? (active.items + queued.items + ended.items).first { $0.row == selected }
  }
}

extension BoardViewModel.Section {
  /// At most `height` of `rows`, the selected one among them if it is one of these.
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
