import JobWire

extension Program {
  /// Carries out `jobrun help [VERB] [--man]`.
  func help(_ invocation: Invocation) throws(WireError) -> Int32 {
    if invocation.isSet(.man) {
      data.write(ManPage.text)
      return ExitCode.success
    }
    guard let operand = invocation.operands.first else { return help(.help) }
    guard let name = Verb.Name(rawValue: operand.text) else {
      throw WireError(
        .usage,
        "there is no verb \(operand.text.quoted)"
          + NearestName.hint(for: operand.text, among: Verb.all.map(\.name.rawValue)))
    }
    if name == .help, let verb = Verb.named(.help) {
      data.write(Help.text(of: verb))
      return ExitCode.success
    }
    return help(name)
  }

  /// The help of one verb; of `help` itself, the overview.
  func help(_ name: Verb.Name) -> Int32 {
    let text = name == .help ? Help.overview : Verb.named(name).map(Help.text(of:))
    data.write(text ?? Help.overview)
    return ExitCode.success
  }
}
