/// rsync's `--progress` and `-P` (each file from 0 to 100 %) and `--info=progress2` (the whole).
///
/// `  1,060,448  25% 1001.59kB/s    0:00:03 (xfr#2, to-chk=4/7)`. Both look the same; the whole can neither go
/// back nor be complete while files are left to check. If names are listed, the first file is shown as a file
/// until the files are counted.
struct RsyncMeter: Recogniser {
  let name = "rsync"
  private var lastBytes: UInt64 = 0
  private var isPerFile = false
  private var listsNames = false
  private(set) var part: String?
  /// Files that are left to check, of how many; 0 of 0 while unknown.
  private var left: (UInt64, UInt64) = (0, 0)

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    guard words.count >= 4, let bytes = words[0].amount(step: 1024), let share = words[1].percent,
      words[2].ends(with: "B/s"), words[3].clockMilliseconds != nil
    else {
      let isHeading = line.bytes[...].contains("file list") || line.bytes.last == UInt8(ascii: "/")
      if line.isComplete, !isHeading { listsNames = true }
      return nil
    }
    let files = words.dropFirst(4).lazy.compactMap(Self.toCheck).first
    if bytes < lastBytes || (share == ProgressCounts.wholeShare && (files?.0 ?? 0) > 0) {
      isPerFile = true
    }
    lastBytes = bytes
    defer { if let files { left = files } }
    part = listsNames && files == nil && left.1 == 0 ? "first file" : nil
    guard isPerFile else { return ProgressCounts(hundredths: share) }
    // The line that counts the files is the last of its file.
    if let files { return ProgressCounts(part: files.1 - files.0, of: files.1) }
    let whole = ProgressCounts.wholeShare
    guard left.1 > 0, left.1 < UInt64.max / whole else { return nil }
    return ProgressCounts(part: (left.1 - left.0) * whole + share, of: left.1 * whole)
  }

  /// `to-chk=4/7)`: how many are left, of how many.
  private static func toCheck(_ word: Piece) -> (UInt64, UInt64)? {
    guard let rest = word.after("-chk="), let ratio = rest.before(")")?.counted else { return nil }
    return (ratio.completed, ratio.total)
  }
}
