internal import Foundation
internal import JobCore

/// The result of a push; after UIKit's type of this name.
public enum UIBackgroundFetchResult: UInt, Hashable, Sendable {
  /// There was new data.
  case newData = 0
  /// There was no new data.
  case noData = 1
  /// Fetching failed, and so did the job.
  case failed = 2
}

extension UIApplication {
  /// Delivers the push that this process was launched for to the delegate, unless a handler was registered for
  /// it.
  static func registerPush() {
    let scheduler = BGTaskScheduler.shared
    guard let text = scheduler.launchedPush, let identifier = JobIdentifier(text),
      scheduler.handlers.registration(for: identifier) == nil
    else { return }
    let body: Registration.Function = { task in
      guard let push = task as? BGPushTask else { return }
      if await UIApplication.shared.tell(push) == .failed {
        throw JobFailure("the fetch failed")
      }
    }
    _ = scheduler.handlers.register(text, Registration(body: .function(body)))
  }

  /// Registers the program for pushes: `jobrun push`, with the identifier of its bundle, starts it.
  ///
  /// The delegate receives that identifier as its token, or the error.
  public func registerForRemoteNotifications() {
    let result = Result { () throws(BGTaskScheduler.Error) in
      try BGTaskScheduler.shared.place.registerForPushes()
    }
    if case .success = result { isRegisteredForRemoteNotifications = true }
    // Later, as on iOS: the caller may be about to set the delegate.
    Task { @MainActor in
      switch result {
      case .success(let token):
        delegate?.application(
          self, didRegisterForRemoteNotificationsWithDeviceToken: Data(token.utf8))
      case .failure(let error):
        delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: error)
      }
    }
  }

  private func tell(_ push: BGPushTask) async -> UIBackgroundFetchResult {
    guard let delegate else { return .noData }
    return await delegate.application(self, didReceiveRemoteNotification: push.userInfo)
  }
}

extension UIApplicationDelegate {
  /// Does nothing.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    completionHandler(.noData)
  }

  /// Calls the form with a completion handler.
  ///
  /// - Returns: The handler's first result.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: sending [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      self.application(application, didReceiveRemoteNotification: userInfo) { answer.give($0) }
    }
  }
}
