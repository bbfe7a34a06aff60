public import Dispatch

/// A serial queue gets its own thread when needed. The global queues share theirs with Swift tasks and have no
/// more than there are processors: on a single processor, a computing task would delay stops and progress.
extension DispatchQueue {
  /// The queue for this module's own short work.
  static let errands = DispatchQueue(label: "jobrun errands")

  /// A new one for each request, which may wait for its answer.
  static var request: DispatchQueue { DispatchQueue(label: "jobrun request") }

  /// A new one for each expiration handler of the author's, which may take its time.
  static var expiration: DispatchQueue { DispatchQueue(label: "jobrun expiration") }
}

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// A queue by its name in C, which files that came from Objective-C use.
public typealias dispatch_queue_t = DispatchQueue
