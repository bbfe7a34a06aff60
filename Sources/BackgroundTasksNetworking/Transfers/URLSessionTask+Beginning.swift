public import Foundation
public import FoundationNetworking

extension URLSessionTask {
  /// The transfer does not begin before; nil = as soon as it can.
  ///
  /// It wins where FoundationNetworking is not imported by name; else that module's own is meant, which warns
  /// of what is right for other sessions only.
  @_disfavoredOverload
  public var earliestBeginDate: Date? {
    get { (self as? any TransferTask)?.transfer.record.earliest }
    set { (self as? any TransferTask)?.transfer.note { $0.earliest = newValue } }
  }
}

/// Reads what is set where FoundationNetworking is imported by name: its own property, whose deprecation is
/// for other sessions.
private protocol StatedBeginning {
  var statedBeginning: Date? { get }
}

extension URLSessionTask: StatedBeginning {
  @available(*, deprecated)
  fileprivate var statedBeginning: Date? { self.FoundationNetworking::earliestBeginDate }
}

extension TransferTask {
  /// Takes over what is set there.
  func noteBeginning() {
    guard let date = (self as any StatedBeginning).statedBeginning else { return }
    transfer.note { $0.earliest = date }
  }
}
