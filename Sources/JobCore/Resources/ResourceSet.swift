/// The resources beside a slot that a job may have to wait for.
///
/// Jobs with the same set form one class in the queue: when its first must wait, all of it waits.
struct ResourceSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let gpu = ResourceSet(rawValue: 1)
  static let memory = ResourceSet(rawValue: 2)
  static let disk = ResourceSet(rawValue: 4)
  static let network = ResourceSet(rawValue: 8)
  static let power = ResourceSet(rawValue: 16)

  /// How many different sets there are.
  static let classCount = 32
}

extension Requirements {
  /// The resources that a job may have to wait for.
  ///
  /// Counted resources are excluded: a job that lacks them is passed over (`Bar.counted`).
  var resources: ResourceSet {
    var needed: ResourceSet = []
    if gpuCount > 0 { needed.insert(.gpu) }
    if memoryBytes > 0 { needed.insert(.memory) }
    if diskBytes > 0 { needed.insert(.disk) }
    if network { needed.insert(.network) }
    if power { needed.insert(.power) }
    return needed
  }
}
