import Foundation
import Glibc

/// Chromium without a window, ended with its owner.
///
/// Controlled through its own protocol (DevTools) over descriptors 3 and 4: JSON between NUL bytes.
package final class Browser {
  /// Its path; nil where none is installed.
  package static let program: String? = ["chromium", "chromium-browser", "google-chrome"]
    .map { "/usr/bin/" + $0 }.first { unsafe access($0, X_OK) == 0 }

  private let process: ChildProcess
  private let orders: OwnedDescriptor
  private let answers: OwnedDescriptor
  private var received: [UInt8] = []
  private var lastOrder = 0
  /// Events: `method` and `params`.
  package private(set) var events: [[String: Any]] = []

  /// An error that Chromium reported.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Starts it with a separate profile in the sandbox.
  package init(_ sandbox: Sandbox) throws {
    let folder = sandbox.path("browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let pipes = [folder + "/orders", folder + "/answers"]
    for pipe in pipes {
      guard unsafe mkfifo(pipe, 0o600) == 0 else { throw SystemCallFailure("mkfifo \(pipe)") }
    }
    // Both ends in each process, so that opening them never blocks.
    orders = OwnedDescriptor(unsafe Glibc.open(pipes[0], O_RDWR | O_CLOEXEC))
    answers = OwnedDescriptor(unsafe Glibc.open(pipes[1], O_RDWR | O_CLOEXEC))
    answers.setNonBlocking()
    process = try sandbox.start(
      "sh",
      [
        "-c", "exec \"$0\" \"$@\" 3<orders 4>answers", Self.program ?? "chromium", "--headless",
        "--remote-debugging-pipe", "--user-data-dir=\(folder)/profile", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
        "--disable-features=Translate,OptimizationHints,MediaRouter", "--mute-audio",
      ] + (geteuid() == 0 ? ["--no-sandbox"] : []), directory: folder)
  }

  deinit {
    // Its other processes end with it.
    _ = try? order("Browser.close")
  }

  /// Sends an order and waits for its answer.
  @discardableResult
  package func call(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil,
    within limit: Duration = Deadline.timeout
  ) throws -> [String: Any] {
    let number = try order(method, parameters, session: session)
    let deadline = Deadline(within: limit)
    while true {
      while let message = try next() {
        guard message["id"] as? Int == number else {
          if message["method"] != nil { events.append(message) }
          continue
        }
        if let error = message["error"] { throw Failure(description: "\(method): \(error)") }
        return message["result"] as? [String: Any] ?? [:]
      }
      guard try deadline.anyReadable(of: [answers.number]) else {
        throw Overdue(awaited: "\(method) by Chromium", limit: limit, seen: "")
      }
      received += answers.drain().bytes
    }
  }

  private func order(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil
  ) throws -> Int {
    lastOrder += 1
    var message: [String: Any] = ["id": lastOrder, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(orders.number, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw SystemCallFailure("write to Chromium") }
      rest = rest.dropFirst(count)
    }
    return lastOrder
  }

  private func next() throws -> [String: Any]? {
    guard let end = received.firstIndex(of: 0) else { return nil }
    let message = Data(received[..<end])
    received.removeSubrange(...end)
    return try JSONSerialization.jsonObject(with: message) as? [String: Any]
  }
}
