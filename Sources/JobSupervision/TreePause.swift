internal import JobPage

/// Stops and resumes the tree of a paused job; the page holds the wanted state, so that this supervisor,
/// the runner and the next runner know it.
struct TreePause {
  private let page: String
  /// Whether the tree is stopped.
  private var isFrozen = false
  /// A request arrived before there was a process to stop.
  var isDue = false

  init(page: String) {
    self.page = page
  }

  /// Applies the state on the page; a missing page changes nothing.
  ///
  /// `mayFreeze`: the worker has not ended; its leftover processes are no longer paused.
  mutating func applyPage(to tree: WorkerTree, mayFreeze: Bool) {
    isDue = false
    guard let isPaused = PauseStatus.isPaused(page: page), isPaused != isFrozen else { return }
    if !isPaused {
      end(tree)
    } else if mayFreeze {
      tree.freeze()
      isFrozen = true
    }
  }

  /// Resumes a stopped tree.
  mutating func end(_ tree: WorkerTree) {
    guard isFrozen else { return }
    tree.thaw()
    isFrozen = false
  }
}
