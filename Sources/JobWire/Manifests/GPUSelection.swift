/// The GPUs that jobs may use, in the form of `CUDA_VISIBLE_DEVICES`: indices or UUIDs, separated by commas; `none`.
///
/// The index is NVML's, which is also that of `nvidia-smi`; a UUID may be cut short.
package struct GPUSelection: Hashable, Sendable {
  package let text: String
  private let words: [String]

  /// Nil for a text that is neither `none` nor a list.
  package init?(_ text: String) {
    self.text = text
    words = text == "none" ? [] : text.split(separator: ",").map { String($0) }
    let isList = text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
      Self.isName(String($0))
    }
    guard text == "none" || isList else { return nil }
  }

  /// Whether jobs may use the GPU with this index and this UUID.
  package func includes(index: Int, uuid: String) -> Bool {
    words.contains { word in
      Int(word).map { $0 == index } ?? uuid.hasPrefix(word)
    }
  }

  /// An index, or a UUID of at least one digit: `GPU-5`.
  private static func isName(_ word: String) -> Bool {
    if let index = Int(word) { return index >= 0 && word.utf8.first != UInt8(ascii: "+") }
    return word.utf8.count > 4 && (word.hasPrefix("GPU-") || word.utf8.contains(UInt8(ascii: ":")))
  }
}
