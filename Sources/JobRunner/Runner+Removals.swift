import JobStore

// Jobs that succeeded and are to be removed, but are still read when the runner leaves.
extension Runner {
  /// Removes what no client reads; the rest, and all where clients go on with the next runner, is left to that.
  func leaveRemovals() {
    let left = successes.finish(removing: lifetime.departure != .replaced)
    do throws(StoreError) {
      if try left != store.awaitedRemovals() { try store.saveAwaitedRemovals(left) }
    } catch {
      notes.add("jobs that succeeded stay: \(error.message)")
    }
  }

  /// Goes on with what the earlier runner had to leave.
  func takeRemovals() {
    do throws(StoreError) {
      for number in try store.awaitedRemovals() {
        if let job = try store.job(number) { successes.restore(job, at: .now()) }
      }
    } catch {
      notes.add("jobs that succeeded stay: \(error.message)")
    }
  }
}
