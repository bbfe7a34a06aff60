internal import JobFiles

/// The options and arguments of the command line.
struct MirrorArguments: JobArguments, Hashable {
  static let usage = """
    usage: mirror [--update] SOURCE TARGET

    Copies the contents of the folder SOURCE into the folder TARGET, and checks each copy.

      SOURCE    the folder to copy
      TARGET    the folder that becomes its copy; made if it is missing, else empty
      --update  TARGET may have files already: those that differ are replaced; nothing is removed
      --help    this text

    Permissions, times and links are kept. When it is interrupted, jobrun redo goes on where it
    was. Files that cannot be copied are reported, and the job then ends as failed (exit code 2),
    with all others copied.
    """

  var updates = false
  var wantsHelp = false
  var source = BytePath("")
  var target = BytePath("")

  /// Reads the arguments, without the program's name.
  init(_ arguments: [BytePath]) throws(MirrorError) {
    var operands: [BytePath] = []
    var flagsEnded = false
    for argument in arguments {
      switch (flagsEnded, argument) {
      case (false, BytePath("--")): flagsEnded = true
      case (false, BytePath("--update")), (false, BytePath("-u")): updates = true
      case (false, BytePath("--help")), (false, BytePath("-h")): wantsHelp = true
      case (false, _) where argument.bytes.first == UInt8(ascii: "-") && argument.bytes.count > 1:
        throw .usage("mirror has no flag \(argument); see mirror --help")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    guard operands.count == 2 else {
      throw .usage("mirror takes SOURCE and TARGET, two folders; it was given \(operands.count)")
    }
    guard !operands.contains(where: { $0.bytes.isEmpty }) else {
      throw .usage("mirror was given an empty name")
    }
    source = operands[0]
    target = operands[1]
  }
}
