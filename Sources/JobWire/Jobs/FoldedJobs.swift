/// In a folded list, the jobs behind a waiting one that are not listed.
///
/// They are of its submission and its group, have the next numbers, and have not begun either. A table has one row for
/// all of them, so a list of a hundred thousand takes as little as one of ten.
package struct FoldedJobs: Hashable, Sendable {
  /// At least 1.
  package var count: Int
  /// The beginning that all their titles share with that of the listed job; nil if all titles are the same.
  package var title: String?

  package init(count: Int, title: String?) {
    self.count = count
    self.title = title
  }
}

extension FoldedJobs: Coded {
  package init() { self.init(count: 1, title: nil) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&count, "count")
    try coder.code(&title, "title")
  }
}
