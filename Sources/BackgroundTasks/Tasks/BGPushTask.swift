public import Foundation
internal import JobWire

/// A push message to this program, 30 seconds at most; a class of jobrun's own.
///
/// `jobrun push`, or a server that the definition has subscribed to, launches a definition whose kind is
/// `push`.
public final class BGPushTask: BGTask, @unchecked Sendable {
  /// The data: JSON, `{}` by default.
  public var data: Data { Data((scheduler.environment[PushContent.variable] ?? "{}").utf8) }

  /// The same as UIKit's delegates get it; empty where it is no object.
  public var userInfo: [AnyHashable: Any] { BackgroundPush(self).userInfo }

  /// The number of pushes merged into this one, including itself; it is the newest.
  public var count: Int {
    max(1, scheduler.environment[PushContent.countVariable].flatMap { Int($0) } ?? 1)
  }
}

/// A push, as the argument of a declared handler.
public struct BackgroundPush: Hashable, Sendable {
  /// The data: JSON, `{}` by default.
  public let data: Data
  /// The number of pushes merged into this one, including itself; it is the newest.
  public let count: Int

  /// The members of `data` if it is an object; otherwise empty.
  public var userInfo: [AnyHashable: Any] {
    let object = try? JSONSerialization.jsonObject(with: data)
    return (object as? [String: Any]) ?? [:]
  }

  init(_ task: BGPushTask) {
    data = task.data
    count = task.count
  }
}
