import JobCore

/// Lines of JSON that hold a step and a total: `{"step": 45, "total": 100}`, restic's `percent_done`.
struct JSONReport: Recogniser {
  let name = "JSON"
  /// The names are clearly about progress: one growth is enough.
  private var numbers = GrowingNumbers(enough: 1)
  /// A value between 0 and 1 was seen, so that 1 is the whole.
  private var isFraction = false

  private static let steps: Set<String> = [
    "batch", "bytes_done", "completed", "count", "current", "done", "downloaded", "files_done", "i",
    "index", "item", "iter", "iteration", "n", "position", "processed", "step", "steps_done",
    "completed_steps", "global_step", "downloaded_bytes",
  ]
  private static let totals: Set<String> = [
    "batches", "max_steps", "num_batches", "num_steps", "of", "steps", "total", "total_batches",
    "total_bytes", "total_count", "total_files", "total_items", "total_steps",
  ]
  private static let epochs: Set<String> = ["epoch"]
  private static let allEpochs: Set<String> = [
    "epochs", "max_epochs", "num_epochs", "total_epochs",
  ]
  private static let percentages: Set<String> = [
    "percent", "percentage", "pct", "progress_percent",
  ]
  private static let fractions: Set<String> = [
    "percent_done", "fraction", "fraction_done", "progress",
  ]

  var bar: Int { numbers.bar }
  var isMistaken: Bool { numbers.isMistaken }
  var beginning: Double? { numbers.beginning }

  mutating func skip() { numbers.skip() }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    numbers.beginLine()
    let bytes = line.trimmed
    guard line.isComplete, bytes.first == UInt8(ascii: "{") else { return nil }
    let fields = Self.fields(of: bytes)
    if let share = share(fields) { return grown(share, of: "share") }
    let total = Self.number(fields, Self.totals)
    let step = Self.number(fields, Self.steps)
    guard let epoch = Self.number(fields, Self.epochs),
      let epochs = Self.number(fields, Self.allEpochs), epochs > 0, epoch <= epochs
    else {
      guard let step, let total, total > 0, step <= total else { return nil }
      return grown(ProgressCounts(completed: step, total: total), of: "step")
    }
    var inner = 0.0
    if let step, let total, total > 0 { inner = min(1, Double(step) / Double(total)) }
    let share = (Double(max(epoch, 1) - 1) + inner) / Double(epochs)
    return grown(ProgressCounts(hundredths: UInt64(share * 10_000)), of: "epoch")
  }

  private mutating func grown(_ counts: ProgressCounts, of word: String) -> ProgressCounts? {
    let place = GrowingNumbers.Place(words: Array(word.utf8), total: counts.total)
    return numbers.read(counts.completed, at: place, steps: true) ? counts : nil
  }

  private mutating func share(_ fields: [(String, Piece)]) -> ProgressCounts? {
    if let value = Self.value(fields, Self.percentages)?.hundredths, value <= 10_000 {
      return ProgressCounts(hundredths: value)
    }
    guard let text = Self.value(fields, Self.fractions) else { return nil }
    // Ten-thousandths: two more places than hundredths have.
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first?.wholeNumber, parts.count <= 2 else { return nil }
    if whole == 0 {
      let digits = parts.count == 2 ? parts[1].prefix(4).filter(\.isDigit) : []
      isFraction = isFraction || !digits.isEmpty
      let places = digits + Array(repeating: 0x30, count: 4 - digits.count)
      return places[...].wholeNumber.map { ProgressCounts(hundredths: $0) }
    }
    if whole == 1, isFraction { return ProgressCounts(hundredths: ProgressCounts.wholeShare) }
    return isFraction
      ? nil : text.hundredths.flatMap { $0 <= 10_000 ? ProgressCounts(hundredths: $0) : nil }
  }

  private static func number(_ fields: [(String, Piece)], _ names: Set<String>) -> UInt64? {
    fields.lazy.filter { names.contains($0.0) }.compactMap { $0.1.wholeNumber }.first
  }

  private static func value(_ fields: [(String, Piece)], _ names: Set<String>) -> Piece? {
    fields.first { names.contains($0.0) }?.1
  }

  /// Names and numbers at any depth: nearly valid JSON is good enough.
  private static func fields(of bytes: Piece) -> [(String, Piece)] {
    var found: [(String, Piece)] = []
    var rest = bytes
    while found.count < 32, let start = rest.after("\"") {
      guard let name = start.before("\"") else { break }
      rest = start[(name.endIndex + 1)...]
      let value = rest.trimmed
      guard value.first == UInt8(ascii: ":") else { continue }
      let number = value.dropFirst().trimmed.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
      if !number.isEmpty {
        found.append((GaugeWords.lowercase(name), number))
        rest = rest[number.endIndex...]
      } else if value.dropFirst().trimmed.first == UInt8(ascii: "\"") {
        // A text is passed over.
        let text = value.dropFirst().trimmed.dropFirst()
        rest = text.before("\"").map { text[($0.endIndex + 1)...] } ?? text[text.endIndex...]
      }
    }
    return found
  }
}
