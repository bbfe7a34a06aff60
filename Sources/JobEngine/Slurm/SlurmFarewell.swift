/// Cancels the jobs in the queue that are no longer wanted when a helper exits.
///
/// A controller may be away for a while, and there may be no other helper for long.
package enum SlurmFarewell {
  /// One try every 10 s for half an hour.
  private static let tries = 180
  private static let pause = 10

  /// A command that cancels all jobs of these names, and tries again while the controller does not answer.
  ///
  /// `awaitsSubmission`: one of them may be under submission, and is cancelled once more after a pause.
  package static func command(for names: [String], awaitsSubmission: Bool) -> [String] {
    let script = """
      n=\(tries)
      for round in \(awaitsSubmission ? "1 2" : "1"); do
        [ $round = 1 ] || sleep \(6 * pause)
        for name; do
          until scancel "--name=$name" || [ $n -le 0 ]; do n=$((n - 1)); sleep \(pause); done
        done
      done
      """
    return ["/bin/sh", "-c", script, "sh"] + names
  }
}
