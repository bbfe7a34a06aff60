import JobPage
import JobStore
import JobWire

extension LaunchSpecification {
  /// What a job executes, put together from its inputs and what it shares where it is one of many.
  ///
  /// - Throws: `malformed`, also when what it shares is not there.
  init(_ stored: StoredSpecification) throws(JobPageError) {
    guard stored.batch != nil else {
      self = try LaunchSpecification(decoding: stored.bytes)
      return
    }
    guard let shared = stored.shared else { throw .malformed("what it shares is not there") }
    self = try LaunchSpecification(decoding: shared)
    arguments = CommandTemplate(arguments).filled(with: InputLists.inputs(of: stored.bytes[...]))
  }
}
