internal import JobPage

/// Stops the tree of a job that is paused, and lets it go on; its page says which, so that it is known to
/// this process, to the runner and to the next one.
struct TreePause {
  private let page: String
  /// Whether all that there is of the tree is stopped.
  private var isFrozen = false
  /// It was told to look when there was nothing to be stopped yet.
  var isDue = false

  init(page: String) {
    self.page = page
  }

  /// Does what the page says; one that is gone says nothing.
  ///
  /// `mayFreeze`: the worker has not ended; what it has left behind is not paused any more.
  mutating func settle(_ tree: WorkerTree, mayFreeze: Bool) {
    isDue = false
    guard let isPaused = PauseStatus.isPaused(page: page), isPaused != isFrozen else { return }
    if !isPaused {
      end(tree)
    } else if mayFreeze {
      tree.freeze()
      isFrozen = true
    }
  }

  /// Lets go on what was stopped.
  mutating func end(_ tree: WorkerTree) {
    guard isFrozen else { return }
    tree.thaw()
    isFrozen = false
  }
}
