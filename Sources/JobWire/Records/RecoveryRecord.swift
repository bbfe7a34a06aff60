package import JobCore

/// What a runner must know of a job that runs when its store is lost: kept in the launch order, beside
/// the run record.
package struct RecoveryRecord: Hashable, Sendable {
  /// As it was launched, with what the attempts before left to this one.
  package var record: JobRecord
  /// The boot in which the attempt was launched (`/proc/sys/kernel/random/boot_id`).
  package var boot: String
  /// The mount that its run record was made on; nil = not known.
  package var mount: UInt64?
  /// The store's name in the folders of engines; nil = it runs on this machine.
  package var store: String?

  package init(record: JobRecord, boot: String) {
    self.record = record
    self.boot = boot
  }

  /// One line of JSON without its newline.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("record")
    writer.raw(record.json)
    writer.field("boot", boot)
    if let mount { writer.field("mount", mount) }
    if let store { writer.field("store", store) }
    writer.endObject()
    return writer.bytes
  }

  /// Reads what `json` wrote of a job; throws with a sentence about what is missing or mistyped.
  package init(_ number: JobNumber, json: ArraySlice<UInt8>) throws(WireError) {
    let fields = try JSONFields(line: json)
    self.init(
      record: try JobRecord(number, try fields.object("record")), boot: try fields.required("boot"))
    mount = try fields.optional("mount")
    store = try fields.optional("store")
  }
}
