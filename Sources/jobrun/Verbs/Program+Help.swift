import JobClient
import JobWire

extension Program {
  /// Carries out `jobrun help [VERB|JOB|TOPIC|verbs|topics] [--man]`.
  func help(_ invocation: Invocation) throws(WireError) -> Int32 {
    let isJSON = invocation.isSet(.json)
    if invocation.isSet(.man) {
      guard !isJSON else {
        throw WireError(.usage, "--man and --json cannot be used together; leave one of them out")
      }
      let topic = invocation.operands.first.flatMap { Manual.Topic(rawValue: $0.text) }
      data.write(ours: try topic.map(manPage) ?? ManPage.text)
      return ExitCode.success
    }
    guard let operand = invocation.operands.first else {
      return help(.help, isJSON: isJSON)
    }
    if operand.text == Help.verbsTopic, !isJSON {
      data.write(ours: Help.verbs)
      return ExitCode.success
    }
    if operand.text == Help.topicsTopic, !isJSON {
      data.write(ours: try manual().overview)
      return ExitCode.success
    }
    guard let name = Verb.Name(rawValue: operand.text) else {
      if let topic = Manual.Topic(rawValue: operand.text) {
        return try explain(topic, isJSON: isJSON)
      }
      if let definition = definition(named: operand.text, invocation) {
        return explain(definition, isJSON: isJSON)
      }
      guard let topic = Manual.topic(called: operand.text) else {
        throw Invocation.unknownTopic(operand.text)
      }
      return try explain(topic, isJSON: isJSON)
    }
    if name == .help, !isJSON, let verb = Verb.named(.help) {
      data.write(ours: Help.text(of: verb))
      return ExitCode.success
    }
    return help(name, isJSON: isJSON)
  }

  func manual() throws(WireError) -> Manual {
    Manual(folder: try surroundings.installation().manual)
  }

  private func manPage(_ topic: Manual.Topic) throws(WireError) -> String {
    Manual.man(topic, Markdown(try manual().source(of: topic)))
  }

  /// Prints a page of the manual.
  private func explain(_ topic: Manual.Topic, isJSON: Bool) throws(WireError) -> Int32 {
    let source = try manual().source(of: topic)
    let page = Markdown(source)
    if isJSON {
      writeJSON { writer in
        writer.field("topic", topic.rawValue)
        writer.field("title", page.title)
        writer.field("text", source)
      }
    } else {
      data.write(ours: Manual.text(of: page))
    }
    data.flush()
    return ExitCode.success
  }

  /// The help for `--help`: for a job to start, its own if it has one.
  func help(for invocation: Invocation) -> Int32 {
    let isJSON = invocation.isSet(.json)
    if invocation.verb == .submit || invocation.verb == .schedule,
      let name = invocation.operands.first?.text,
      let definition = definition(named: name, invocation), !definition.manifest.guide.isEmpty
    {
      return explain(definition, isJSON: isJSON)
    }
    return help(invocation.verb, isJSON: isJSON)
  }

  /// Whether the job's only argument is a request for help, and its definition has help.
  func asksForHelp(_ definition: Definition, _ invocation: Invocation) -> Bool {
    guard !definition.manifest.guide.isEmpty else { return false }
    let words = invocation.arguments.prefix { $0.text != "--" }.map { $0.text }
    return words.contains("--help") || words == ["-h"]
  }

  /// Prints a definition's help.
  func explain(_ definition: Definition, isJSON: Bool) -> Int32 {
    if isJSON {
      writeJSON(definition)
      data.flush()
    } else {
      let text = DefinitionHelp.text(of: definition)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        data.buffer(line: String(line))
      }
      data.flush()
    }
    return ExitCode.success
  }

  /// Nil without a definition of that name; errors in others do not matter here.
  private func definition(named name: String, _ invocation: Invocation) -> Definition? {
    guard let paths = try? surroundings.paths(), let directory = try? surroundings.directory(),
      let search = try? surroundings.search(
        flag: invocation.text(.jobs), directory: directory, paths: paths)
    else { return nil }
    return try? search.resolve(name, suffix: FreshName.suffix()).definition
  }

  /// The meaning of a word that is not a verb: a definition or a program probably lacks only its verb.
  func meaning(of word: String) -> WordMeaning? {
    if let definition = definition(named: word, Invocation(.help)) {
      return .definition(start: DefinitionHelp.start(of: definition))
    }
    guard let directory = try? surroundings.directory() else { return nil }
    let program = try? CommandSearch.executable(
      word, directory: String(decoding: directory, as: UTF8.self),
      environment: surroundings.environment)
    return program.map { _ in .program }
  }

  /// The help of one verb; of `help` itself, the overview.
  func help(_ name: Verb.Name, isJSON: Bool) -> Int32 {
    if isJSON {
      for verb in Verb.all where name == .help || verb.name == name { writeJSON(verb.writeFields) }
      data.flush()
      return ExitCode.success
    }
    let text = name == .help ? Help.overview : Verb.named(name).map(Help.text(of:))
    data.write(ours: text ?? Help.overview)
    return ExitCode.success
  }
}

extension Verb {
  /// Writes the verb's entry in the table.
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
