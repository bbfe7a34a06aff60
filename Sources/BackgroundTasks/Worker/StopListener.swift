internal import Foundation

/// Watches the page's control word for a stop: a separate thread waits in the kernel, without polling.
enum StopListener {
  /// Calls `action` once, when the runner tells the worker to stop; never after `page.endWaiting`.
  static func start(_ page: WorkerPage, action: @escaping @Sendable (TaskLife.Stop) -> Void) {
    let thread = Thread { if let stop = page.waitForStop() { action(stop) } }
    thread.stackSize = 128 << 10
    thread.name = "jobrun stop"
    thread.start()
  }
}
