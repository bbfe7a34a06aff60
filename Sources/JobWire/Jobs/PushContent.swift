/// The content of a push, in the environment of the program that it wakes.
package enum PushContent {
  /// The data, as it was sent: JSON.
  package static let variable = "JOBRUN_PUSH"
  /// The number of pushes merged into this one.
  package static let countVariable = "JOBRUN_PUSHES"

  /// Throws `usage` unless it is JSON, and no more than a push may carry.
  package static func check(_ data: [UInt8]) throws(WireError) {
    guard data.count <= Limits.pushBytes else {
      throw WireError(
        .usage,
        "the data of the push has \(data.count) bytes; \(Limits.pushBytes) is the limit; send the address at which"
          + " it can be found")
    }
    do throws(JSONSyntaxError) {
      _ = try JSONReader.value(of: data[...])
    } catch {
      throw WireError(
        .usage,
        "the data of the push is not JSON: \(error.message); write something like {\"new\": 3}")
    }
  }
}
