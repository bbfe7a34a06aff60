extension WireError {
  /// `{"error":{"code":"notFound","message":"…"}}`, what a command with `--json` prints that cannot do
  /// what was asked; without newline.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.value(self)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  mutating func value(_ error: WireError) {
    beginObject()
    field("code", error.code.rawValue)
    field("message", error.message)
    endObject()
  }
}
