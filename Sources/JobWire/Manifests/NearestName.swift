/// Finds the known name that a person probably meant.
package enum NearestName {
  /// The known names that are near enough to suggest, nearest first, three at most.
  package static func suggestions(for name: String, among known: [String]) -> [String] {
    let typed = Array(name.lowercased().unicodeScalars)
    // Only suggest likely slips: up to a third of the letters, but two in short names and one in names of three
    // letters, any two of which share one.
    let allowed = typed.count <= 3 ? 1 : max(2, typed.count / 3)
    let near = known.compactMap { candidate -> (distance: Int, name: String)? in
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - typed.count) <= allowed || other.starts(with: typed) else {
        return nil
      }
      let distance = other.starts(with: typed) ? 1 : editDistance(typed, other)
      return distance <= min(allowed, max(1, other.count - 1)) ? (distance, candidate) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map { $0.name }
  }

  /// The nearest known name; nil when none is near.
  package static func nearest(to name: String, among known: [String]) -> String? {
    suggestions(for: name, among: known).first
  }

  /// The rest of a sentence after "… is not known": the likely name, or all names.
  package static func hint(for name: String, among known: [String]) -> String {
    let near = suggestions(for: name, among: known)
    guard near.isEmpty else { return "; did you mean \(choice(of: near))?" }
    return known.isEmpty ? "" : "; use \(choice(of: known))"
  }

  /// `a, b or c`.
  package static func choice(of names: some Collection<String>) -> String {
    let (others, last) = (Array(names.dropLast(1)), names.suffix(1))
    return ([others.joined(separator: ", ")].filter { !$0.isEmpty } + last)
      .joined(separator: " or ")
  }

  /// Letters to insert, delete, replace or exchange with their neighbour (optimal string alignment).
  static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let cost = left[row] == right[column] ? 0 : 1
        var best = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
        let isExchange =
          row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
        if isExchange { best = min(best, beforeLast[column - 1] + 1) }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
