import JobWire

extension Program {
  /// Carries out `jobrun help [VERB] [--man]`.
  func help(_ invocation: Invocation) throws(WireError) -> Int32 {
    let isJSON = invocation.isSet(.json)
    if invocation.isSet(.man) {
      guard !isJSON else {
        throw WireError(.usage, "--man and --json exclude each other; leave one of them out")
      }
      data.write(ManPage.text)
      return ExitCode.success
    }
    guard let operand = invocation.operands.first else {
      return help(.help, isJSON: isJSON)
    }
    guard let name = Verb.Name(rawValue: operand.text) else {
      throw WireError(
        .usage,
        "there is no verb \(operand.text.quoted)"
          + NearestName.hint(for: operand.text, among: Verb.all.map(\.name.rawValue)))
    }
    if name == .help, !isJSON, let verb = Verb.named(.help) {
      data.write(Help.text(of: verb))
      return ExitCode.success
    }
    return help(name, isJSON: isJSON)
  }

  /// The help of one verb; of `help` itself, the overview.
  func help(_ name: Verb.Name, isJSON: Bool) -> Int32 {
    if isJSON {
      for verb in Verb.all where name == .help || verb.name == name { writeJSON(verb.writeFields) }
      data.flush()
      return ExitCode.success
    }
    let text = name == .help ? Help.overview : Verb.named(name).map(Help.text(of:))
    data.write(text ?? Help.overview)
    return ExitCode.success
  }
}

extension Verb {
  /// What the table says of the verb.
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.field("verb", name.rawValue)
    writer.field("usage", usage)
    writer.field("summary", summary)
    writer.field("details", details)
    writer.field("json", json)
    writer.key("flags")
    writer.beginArray()
    for flag in flags {
      writer.beginObject()
      writer.field("name", flag.spelling)
      writer.field("short", flag.short.map { "-\($0)" })
      writer.field("value", flag.placeholder.isEmpty ? nil : flag.placeholder)
      writer.field("summary", flag.summary)
      writer.endObject()
    }
    writer.endArray()
    writer.field("examples", examples.map { "jobrun \($0)" })
  }
}
