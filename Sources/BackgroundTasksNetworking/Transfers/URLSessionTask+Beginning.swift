public import Foundation
public import FoundationNetworking

extension URLSessionTask {
  /// The earliest start of the transfer; nil = as soon as possible.
  ///
  /// It applies if FoundationNetworking is not imported by name; otherwise that module's own property is used,
  /// whose deprecation warning only applies to other sessions.
  @_disfavoredOverload
  public var earliestBeginDate: Date? {
    get { (self as? any TransferTask)?.transfer.record.earliest }
    set { (self as? any TransferTask)?.transfer.note { $0.earliest = newValue } }
  }
}

/// Reads the property of FoundationNetworking, where that is imported by name; its deprecation only applies
/// to other sessions.
private protocol StatedBeginning {
  var statedBeginning: Date? { get }
}

extension URLSessionTask: StatedBeginning {
  @available(*, deprecated)
  fileprivate var statedBeginning: Date? { self.FoundationNetworking::earliestBeginDate }
}

extension TransferTask {
  /// Applies its value.
  func noteBeginning() {
    guard let date = (self as any StatedBeginning).statedBeginning else { return }
    transfer.note { $0.earliest = date }
  }
}
