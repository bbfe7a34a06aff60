import LinuxSystem

/// What a job is to read, as its submitter has it open.
final class PassedInput {
  let descriptor: FileDescriptor
  private let counted: OpenInputs

  /// Nil when nothing came beside the first descriptor.
  init?(from reception: inout UnixConnection.Reception, countedIn counted: OpenInputs) {
    guard let descriptor = reception.takeSecond() else { return nil }
    self.descriptor = descriptor
    self.counted = counted
    counted.count += 1
  }

  deinit { counted.count -= 1 }
}

/// How many descriptors these take, wherever they are kept.
final class OpenInputs {
  fileprivate(set) var count = 0
}
