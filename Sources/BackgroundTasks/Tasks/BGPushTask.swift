public import Foundation
internal import JobWire

/// What somebody else has to tell this program, 30 seconds at most; a class of ours.
///
/// `jobrun push`, or a server that the definition has subscribed to, launches a definition whose kind is
/// `push`.
public final class BGPushTask: BGTask, @unchecked Sendable {
  /// What was sent: JSON, `{}` where nothing was.
  public var data: Data { Data((scheduler.environment[PushContent.variable] ?? "{}").utf8) }

  /// The same as UIKit's delegates get it; empty where it is no object.
  public var userInfo: [AnyHashable: Any] { BackgroundPush(self).userInfo }

  /// How many pushes came until this one was told, of which it is the newest.
  public var count: Int {
    max(1, scheduler.environment[PushContent.countVariable].flatMap { Int($0) } ?? 1)
  }
}

/// What a push tells, as a declared handler is given it.
public struct BackgroundPush: Hashable, Sendable {
  /// What was sent: JSON, `{}` where nothing was.
  public let data: Data
  /// How many pushes came until this one was told, of which it is the newest.
  public let count: Int

  /// `data` as an object's members; empty where it is none.
  public var userInfo: [AnyHashable: Any] {
    let object = try? JSONSerialization.jsonObject(with: data)
    return (object as? [String: Any]) ?? [:]
  }

  init(_ task: BGPushTask) {
    data = task.data
    count = task.count
  }
}
