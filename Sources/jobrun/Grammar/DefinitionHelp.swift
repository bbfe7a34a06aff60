import JobCore
import JobWire

/// The help of one definition, made from its `job.json`: its purpose, the form of its arguments, and its
/// capabilities.
enum DefinitionHelp {
  /// The verb that starts jobs of this definition.
  static func verb(of definition: Definition) -> Verb.Name {
    switch definition.manifest.options.kind {
    case .continued: .submit
    case .push: .push
    case .refresh, .processing: .schedule
    }
  }

  /// The verb with its operand: `submit export`, `push org.example.mail`.
  static func start(of definition: Definition) -> String {
    let isPush = definition.manifest.options.kind == .push
    let name = isPush ? definition.bundle.identifier.text : definition.name
    return "\(verb(of: definition).rawValue) \(SafeText.shown(name))"
  }

  private static func form(of definition: Definition) -> String {
    let guide = definition.manifest.guide
    if definition.manifest.options.kind == .push {
      return "\(definition.bundle.identifier) [--data JSON]"
    }
    return "\(definition.name) " + (guide.form.isEmpty ? "[-- ARG …]" : "[flags] -- \(guide.form)")
  }

  static func text(of definition: Definition) -> String {
    let guide = definition.manifest.guide
    let verb = verb(of: definition).rawValue
    var lines = Help.wrapped("Usage: jobrun \(verb) \(form(of: definition))", indent: 2)
    lines += [""] + Help.wrapped(heading(definition))
    let paragraphs = guide.about.split(separator: "\n")
    for paragraph in paragraphs where !isOption(paragraph) {
      lines += [""] + Help.wrapped(String(paragraph))
    }
    if !guide.arguments.isEmpty { lines += ["", "Arguments:"] + arguments(guide) }
    let options = paragraphs.filter(isOption)
    if !options.isEmpty {
      lines += ["", "Options:"]
      for option in options { lines += Help.wrapped(String(option), first: "  ", indent: 6) }
    }
    lines += ["", "Limits:"] + FactList.lines(limits(of: definition.manifest)).map { "  " + $0 }
    lines += [""] + Help.wrapped("It is defined in \(SafeText.shown(definition.file)).")
    lines += Help.wrapped("jobrun help \(verb) lists the flags.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// `--force: replace a file that is there`: such lines stay together.
  private static func isOption(_ paragraph: Substring) -> Bool { paragraph.hasPrefix("--") }

  /// `Export (io.jobrun.samples.export.*, of the bundle Samples)`.
  private static func heading(_ definition: Definition) -> String {
    let title = SafeText.shown(definition.manifest.title ?? definition.name)
    return "\(title) (\(definition.manifest.pattern.text), of the bundle"
      + " \(SafeText.shown(definition.bundle.name)))"
  }

  private static func arguments(_ guide: JobGuide) -> [String] {
    let widest = guide.arguments.map { TextWidth.of($0.name) }.max() ?? 0
    return guide.arguments.flatMap { argument in
      let head = "  " + TextWidth.padded(argument.name, to: widest + 2)
      let about =
        argument.isRequired
        ? argument.about : argument.about.isEmpty ? "optional" : "optional: \(argument.about)"
      return Help.wrapped(about, first: head, indent: widest + 4)
    }
  }

  private static func limits(of manifest: JobManifest) -> [FactList.Fact] {
    let needs = RequirementText.format(manifest.options.requirements)
    var facts: [FactList.Fact] = []
    if !needs.isEmpty { facts.append(("needs", needs.joined(separator: ", "))) }
    if manifest.options.kind.isScheduled {
      facts.append(("kind", "\(manifest.options.kind.rawValue): started when its time has come"))
    }
    facts.append(("may run for", longest(manifest)))
    if !manifest.options.kind.isScheduled {
      facts.append(
        ("stalled after", "\(manifest.options.stallAfter.words) without progress; then it asks"))
    }
    if let silent = manifest.options.silentAfter {
      facts.append(("expires after", "\(silent.words) without a sign of life"))
    }
    facts.append(("time to stop", manifest.options.grace.words))
    if manifest.options.retries > 0 { facts.append(("retries", "\(manifest.options.retries)")) }
    if manifest.options.resumable { facts.append(("interrupted", "resumes where it was")) }
    return facts
  }

  private static func longest(_ manifest: JobManifest) -> String {
    if let limit = manifest.options.limit { return limit.words }
    return manifest.options.kind.defaultLimit?.words ?? "as long as it takes"
  }
}
