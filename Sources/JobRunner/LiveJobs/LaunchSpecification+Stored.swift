import JobCore
import JobPage
import JobStore
import JobWire

extension LaunchSpecification {
  /// The specification of a job, from its own inputs and, for a job of a batch, the shared ones.
  ///
  /// `slot`: its slot number, from 1.
  ///
  /// - Throws: `malformed`, also when the shared inputs are missing.
  init(
    _ stored: StoredSpecification, of number: JobNumber, slot: Int? = nil
  ) throws(JobPageError) {
    guard let first = stored.batch else {
      self = try LaunchSpecification(decoding: stored.bytes)
      return
    }
    guard let shared = stored.shared else { throw .malformed("the part that it shares is missing") }
    self = try LaunchSpecification(decoding: shared)
    if arguments == [Array("{}".utf8)] {
      let own = OwnCommand(packed: stored.bytes[...])
      arguments = own.words
      if !own.directory.isEmpty { directory = own.directory }
      replace(with: own.variables.map { String(decoding: $0, as: UTF8.self) })
      return
    }
    arguments = CommandTemplate(arguments).filled(
      with: CommandTemplate.Filling(
        PackedInputs.inputs(of: stored.bytes[...]),
        position: Int(clamping: number.value &- first.value) + 1, slot: slot))
  }
}
