/// The words that mark a gauge: `val_acc 62.9%`, `cache usage 40%`, `12/64 connections` and `cpu: 80%` describe
/// quality or load, not progress.
enum GaugeWords {
  /// The side of the number on which a word makes it a gauge.
  private enum Side { case before, after, either }

  /// The table of all words.
  private static let table: [(Side, String)] = [
    // Quality.
    (
      .before,
      """
      acc accuracy auc ap bleu confidence coverage dice em err error errors f fscore iou map \
      metric ndcg precision prob probability psnr quality r recall rouge score sensitivity \
      similarity specificity ssim wer winrate
      """
    ),
    (.after, "accuracy confidence coverage identical match matches precision recall similar"),
    (.either, "loss losses win wins won hit hits miss misses"),
    // How much of a machine, or of something that is only held.
    (
      .either,
      """
      available battery buffer buffers busy cache clients connection connections conns cpu dirty \
      disk free full gc gpu heap humidity idle iowait load mem memory mfu nodes occupancy occupied \
      pool ram replicas slots swap sys system threads us use used user users usage usr util \
      utilisation utilization vram workers
      """
    ),
    (
      .before,
      """
      attempt dropout fan percentile retries retry sessions sockets sparsity speed sy temp \
      temperature threshold throttle top try volume wait weight
      """
    ),
    // The result of one item.
    (
      .either,
      """
      compressed compression decrease deflated deflate duplicate duplicates efficiency gain \
      increase inflated optimized overhead ratio reduced reduction replaced saved saving savings \
      shrunk skipped smaller stored squashed
      """
    ),
    (.after, "faster larger less more off packet slower bigger shorter"),
    (
      .before,
      """
      fail failed failure failures identity rate warning warnings level confidence dedup
      """
    ),
    (.after, "failed failures"),
  ]

  private static let before = words { $0 != .after }
  private static let after = words { $0 != .before }

  private static func words(where isWanted: (Side) -> Bool) -> Set<String> {
    Set(table.filter { isWanted($0.0) }.flatMap { $0.1.split { $0 == " " }.map(String.init) })
  }

  /// Whether a number between these two texts describes quality or load.
  static func surround(_ prefix: Piece, _ suffix: Piece) -> Bool {
    isQuality(before: prefix) || isQuality(after: suffix) || isArrow(prefix)
      || isOfValue(prefix)
  }

  /// `Z=-4.7(70%)`: a share that belongs to a value with a name.
  private static func isOfValue(_ prefix: Piece) -> Bool {
    guard prefix.last == UInt8(ascii: "(") else { return false }
    let head = prefix.dropLast()
    let value = head.reversed().prefix { $0.isDigit || "+-.".utf8.contains($0) }.count
    return value > 0 && head.dropLast(value).last == UInt8(ascii: "=")
  }

  /// The last word, followed by at most one number: `GPU 0: 40%`.
  private static func isQuality(before prefix: Piece) -> Bool {
    var rest = withoutSeparators(prefix)
    let digits = rest.reversed().prefix { $0.isDigit }.count
    if digits > 0, digits < 4 { rest = withoutSeparators(rest.dropLast(digits)) }
    let word = rest.suffix(rest.reversed().prefix { $0.isLetter }.count)
    return !word.isEmpty && before.contains(lowercase(word))
  }

  private static func isQuality(after suffix: Piece) -> Bool {
    let rest = suffix.trimmed
    // `40% of CPU`, but not `40% of 10 MB`.
    let words = rest.starts(with: "of ") ? rest.dropFirst(3) : rest
    return after.contains(lowercase(words.prefix { $0.isLetter }))
  }

  /// ` => 30.12%`, as compressors tell their ratio; `<=====> 45%` is a bar.
  private static func isArrow(_ prefix: Piece) -> Bool {
    let rest = prefix.withoutBlanksAtEnd
    guard rest.last == UInt8(ascii: ">") else { return false }
    let stem = rest.dropLast()
    let length = stem.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return (1...2).contains(length) && (stem.dropLast(length).last ?? 0x20) == 0x20
  }

  private static func withoutSeparators(_ piece: Piece) -> Piece {
    var rest = piece
    while let last = rest.last,
      [0x20, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "#")].contains(
        last)
    {
      rest = rest.dropLast()
    }
    return rest
  }

  static func lowercase(_ word: Piece) -> String {
    String(decoding: word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension Piece {
  var withoutBlanksAtEnd: Piece {
    var rest = self
    while rest.last == 0x20 { rest = rest.dropLast() }
    return rest
  }
}

extension UInt8 {
  /// A letter of ASCII.
  var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
