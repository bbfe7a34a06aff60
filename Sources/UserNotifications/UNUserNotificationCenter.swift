public import Foundation
internal import JobClient
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// Shows notices of this program on the user's desktop, through the runner; after Apple's class of this name.
///
/// Notices for later are shown only while this process lives.
public final class UNUserNotificationCenter: NSObject, Sendable {
  private static let center = UNUserNotificationCenter()
  private let waiting = Mutex<[String: Waiting]>([:])

  /// Sendable by hand: an item may be cancelled from any thread.
  private struct Waiting: @unchecked Sendable {
    let item: DispatchWorkItem
  }

  private let queue = DispatchQueue(label: "jobrun notices")

  /// That of this program.
  public static func current() -> UNUserNotificationCenter { center }

  /// Whether notices can be shown: there is a service for them, and `config.json` does not turn them off.
  ///
  /// - Returns: Whether they can; the user is not asked.
  @discardableResult
  public func requestAuthorization(
    options: UNAuthorizationOptions = []
  ) async throws -> Bool {
    await withCheckedContinuation { continuation in
      requestAuthorization(options: options) { isGranted, _ in
        continuation.resume(returning: isGranted)
      }
    }
  }

  /// The same, handed over on a queue in the background.
  @preconcurrency
  public func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    queue.async {
      do throws(WireError) {
        guard case .status(let status) = try Self.link().ask(.status) else {
          return completionHandler(false, nil)
        }
        completionHandler(status.notifications?.isOn ?? false, nil)
      } catch {
        completionHandler(false, Self.error(error))
      }
    }
  }

  /// Shows a notice, at once or at its trigger's time; throws the reason if it cannot be shown.
  public func add(_ request: UNNotificationRequest) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      add(request) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Shows a notice, at once or at its trigger's time; the handler gets nil when it was accepted, otherwise the
  /// error.
  @preconcurrency
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let words = request.content.words
    removePendingNotificationRequests(withIdentifiers: [request.identifier])
    guard let trigger = request.trigger else {
      return queue.async { completionHandler?(Self.show(words)) }
    }
    guard let timed = trigger as? UNTimeIntervalNotificationTrigger, !timed.repeats,
      timed.timeInterval > 0
    else {
      completionHandler?(
        Self.error(
          WireError(
            .usage,
            "only a notice without a trigger, or with a time interval above 0 that does not repeat, can be shown"
          )))
      return
    }
    wait(timed.timeInterval, request.identifier, words)
    completionHandler?(nil)
  }

  private func wait(
    _ seconds: TimeInterval, _ identifier: String, _ words: UNNotificationContent.Words
  ) {
    let item = DispatchWorkItem { [self] in
      waiting.withLock { $0[identifier] = nil }
      if let problem = Self.show(words) {
        // The completion handler has been called.
        StandardError.write("jobrun: \(SafeText.shown(problem.localizedDescription))\n")
      }
    }
    let waiter = Waiting(item: item)
    waiting.withLock { $0[identifier] = waiter }
    queue.asyncAfter(deadline: .now() + min(seconds, 1e9), execute: item)
  }

  /// Takes back notices that wait for their time.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    for identifier in identifiers {
      waiting.withLock { $0.removeValue(forKey: identifier) }?.item.cancel()
    }
  }

  /// Takes back all notices that wait for their time.
  public func removeAllPendingNotificationRequests() {
    removePendingNotificationRequests(
      withIdentifiers: waiting.withLock { Array($0.keys) })
  }

  /// Why it is not shown; nil when it is.
  private static func show(_ words: UNNotificationContent.Words) -> (any Error)? {
    let lines = [words.subtitle, words.body].filter { !$0.isEmpty }
    do throws(WireError) {
      _ = try link().ask(
        .notify(
          title: words.title.isEmpty ? ProcessInfo.processInfo.processName : words.title,
          body: lines.joined(separator: "\n")))
      return nil
    } catch {
      return Self.error(error)
    }
  }

  private static func link() throws(WireError) -> RunnerLink {
    try Surroundings(
      environment: JobWire.Environment(ProcessInfo.processInfo.environment)
    ).hostLink()
  }

  private static func error(_ error: WireError) -> any Error {
    NSError(
      domain: UNErrorDomain, code: UNError.Code.notificationsNotAllowed.rawValue,
      userInfo: [NSLocalizedDescriptionKey: error.message])
  }
}

/// The requested permissions, after Apple's type of this name; the user is not asked here.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// The bits of Apple's option set.
  public let rawValue: UInt

  /// The options with these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number at the icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  /// A sound.
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  /// A notice.
  public static let alert = UNAuthorizationOptions(rawValue: 4)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of notices.
public let UNErrorDomain = "UNErrorDomain"

/// Errors of notices; after Apple's type of this name.
public enum UNError {
  /// Apple's code.
  public enum Code: Int, Hashable, Sendable {
    /// Notices cannot be shown; the sentence gives the reason.
    case notificationsNotAllowed = 1
  }
}
