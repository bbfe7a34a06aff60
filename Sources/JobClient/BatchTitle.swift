/// The common part of the titles of a batch's jobs.
package struct BatchTitle: Hashable, Sendable {
  /// In whole words, with `…` for what differs.
  package let text: String
  /// The number of shared characters of each title.
  package let sharedCount: Int

  /// That of one more title; `isPart`: `shared` is the common part of several.
  package init(shared: BatchTitle, _ isPart: Bool, with title: String) {
    guard isPart, shared.sharedCount > 0 else {
      self = isPart && shared.text.hasSuffix("…") ? shared : BatchTitle([shared.text, title])
      return
    }
    let part = shared.text.dropLast()
    self = title.hasPrefix(part) ? shared : BatchTitle([String(part), title])
  }

  package init(_ titles: [String]) {
    guard let first = titles.first, titles.contains(where: { $0 != first }) else {
      (text, sharedCount) = (titles.first ?? "", 0)
      return
    }
    var shared = Substring(first)
    for title in titles.dropFirst() {
      shared = shared.prefix(zip(shared, title).prefix { $0 == $1 }.count)
    }
    guard let space = shared.lastIndex(of: " ") else {
      (text, sharedCount) = (shared.isEmpty ? first + " …" : shared + "…", 0)
      return
    }
    text = shared[..<space] + " …"
    sharedCount = shared.distance(from: shared.startIndex, to: space) + 1
  }
}
