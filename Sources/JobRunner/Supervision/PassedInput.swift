import LinuxSystem

/// A job's input, as a descriptor that its submitter has opened.
final class PassedInput {
  let descriptor: FileDescriptor
  private let counted: OpenInputs

  /// Nil when there was no second descriptor.
  init?(from reception: inout UnixConnection.Reception, countedIn counted: OpenInputs) {
    guard let descriptor = reception.takeSecond() else { return nil }
    self.descriptor = descriptor
    self.counted = counted
    counted.count += 1
  }

  deinit { counted.count -= 1 }
}

/// The number of descriptors in use by inputs.
final class OpenInputs {
  fileprivate(set) var count = 0
}
