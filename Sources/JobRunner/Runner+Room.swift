import JobCore
import JobRuntime
import JobStore
import LinuxSystem

// What a burst had needed goes back to the machine.
extension Runner {
  /// So much has to come and go before it is worth a wake-up.
  private static let churnWorthwhile = 1 << 20
  private static let quiet = Span.seconds(1)
  /// What one connection or one job takes, about.
  static let churnOfOne = 4_096

  /// While more comes and goes, memory stays for so many seconds at most.
  private static let delays = 10

  /// Counts bytes that were needed and are no longer.
  func noteChurn(_ bytes: Int) {
    churn += bytes
    guard giveBackAt == nil, churn >= Self.churnWorthwhile else { return }
    giveBackAt = clock() + Self.quiet
    churn = 0
  }

  /// Gives back what nobody needs, once it has been quiet for a second.
  func giveBackMemory() {
    if churn >= Self.churnWorthwhile, givingDelayed < Self.delays {
      givingDelayed += 1
      giveBackAt = clock() + Self.quiet
      churn = 0
      return
    }
    (giveBackAt, churn, givingDelayed) = (nil, 0, 0)
    // What was removed from a dictionary leaves its room behind.
    if clients.isEmpty { clients = [:] }
    if askers.isEmpty { askers = [:] }
    if attempts.isEmpty { attempts = [:] }
    runtime.giveBackRoom()
    if dirty.isEmpty { dirty = [] }
    if emptied.isEmpty { emptied = [] }
    if luggage.isEmpty { luggage = [:] }
    store.giveBackMemory()
    CurrentProcess.giveBackMemory()
  }
}
