/// The inputs of many jobs of one submission: as many for each, every one with a NUL behind it.
///
/// In one piece of memory, as a hundred thousand jobs may come at once.
package struct PackedInputs: Hashable, Sendable {
  package let bytes: [UInt8]
  /// The start of each job's inputs, and the end of the last.
  private let starts: [Int]

  package var count: Int { starts.count - 1 }

  /// - Throws: `badFrame`, when these are not `width` inputs for each of `count` jobs.
  package init(_ bytes: [UInt8], count: Int, width: Int) throws(WireError) {
    self.bytes = bytes
    var starts = [0]
    starts.reserveCapacity(count + 1)
    var fields = 0
    for index in bytes.indices where bytes[index] == 0 {
      fields += 1
      if fields % width == 0 { starts.append(index + 1) }
    }
    guard fields == count * width, starts.last == bytes.count else {
      throw WireError(
        .badFrame, "\(count) jobs with \(width) inputs each came with \(fields) inputs")
    }
    self.starts = starts
  }

  /// The inputs of one job, from 0.
  package subscript(index: Int) -> [ArraySlice<UInt8>] { Self.inputs(of: packed(at: index)) }

  /// The same in stored form.
  package func packed(at index: Int) -> ArraySlice<UInt8> {
    bytes[starts[index]..<starts[index + 1]]
  }

  /// Splits the result of `packed(at:)`.
  package static func inputs(of packed: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    packed.dropLast().split(separator: 0, omittingEmptySubsequences: false)
  }
}
