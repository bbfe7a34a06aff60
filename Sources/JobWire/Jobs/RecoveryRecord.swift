package import JobCore

/// What a runner must know of a job that runs when its store is lost: kept in the launch order, beside
/// the run record.
package struct RecoveryRecord: Hashable, Sendable {
  /// The submission with the words that are shown.
  package var request: SubmitRequest
  package var submitted: WallTime
  package var launched: WallTime
  /// On the awake clock of `boot`.
  package var launchedAt: Instant
  /// The boot in which the attempt was launched (`/proc/sys/kernel/random/boot_id`).
  package var boot: String
  /// The mount that its run record was made on; nil = not known.
  package var mount: UInt64?
  /// Leased GPUs, by UUID.
  package var gpus: [String] = []
  /// What the attempts before left to this one.
  package var failures = 0
  package var spent = Span.zero
  package var paused = Span.zero
  /// The store's name in the folders of engines; nil = it runs on this machine.
  package var store: String?

  package init(
    request: SubmitRequest, submitted: WallTime, launched: WallTime, launchedAt: Instant,
    boot: String
  ) {
    self.request = request
    self.submitted = submitted
    self.launched = launched
    self.launchedAt = launchedAt
    self.boot = boot
  }

  /// One line of JSON without its newline.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("request")
    writer.value(request)
    writer.field("submitted", submitted)
    writer.field("launched", launched)
    writer.field("launchedNs", launchedAt.nanoseconds)
    writer.field("boot", boot)
    if let mount { writer.field("mount", mount) }
    writer.field("gpus", gpus)
    writer.field("failures", failures)
    writer.field("spentNs", spent.nanoseconds)
    writer.field("pausedNs", paused.nanoseconds)
    if let store { writer.field("store", store) }
    writer.endObject()
    return writer.bytes
  }

  /// Reads what `json` wrote; throws with a sentence about what is missing or mistyped.
  package init(json: ArraySlice<UInt8>) throws(WireError) {
    let fields = try JSONFields(line: json)
    self.init(
      request: try SubmitRequest(try fields.object("request")),
      submitted: try fields.time("submitted"), launched: try fields.time("launched"),
      launchedAt: Instant(nanoseconds: try fields.number("launchedNs")),
      boot: try fields.string("boot"))
    mount = try fields.optionalNumber("mount")
    gpus = try fields.strings("gpus")
    let failed: UInt32? = try fields.optionalNumber("failures")
    failures = Int(failed ?? 0)
    spent = Span(nanoseconds: try fields.optionalNumber("spentNs") ?? 0)
    paused = Span(nanoseconds: try fields.optionalNumber("pausedNs") ?? 0)
    store = try fields.optionalString("store")
  }
}
