internal import JobFiles

/// The options and arguments of the command line.
struct ExportArguments: JobArguments, Hashable {
  static let usage = """
    usage: export [--force] SOURCE [TARGET]

    Packs a folder (or one file) into one archive.

      SOURCE   what to pack
      TARGET   the archive, ending in \(ArchiveFormat.allEndings);
               a folder: the archive goes into it; default: NAME-TIME.tar.gz beside SOURCE
      --force  replace an archive that is there already
      --help   this text

    The archive appears under its name only when it is whole. Files that cannot be read are
    reported, and the job then ends as failed (exit code 2), with the archive of all others kept.
    """

  var force = false
  var wantsHelp = false
  var source = BytePath("")
  var target: BytePath?

  /// Reads the arguments, without the program's name.
  init(_ arguments: [BytePath]) throws(ExportError) {
    var operands: [BytePath] = []
    var flagsEnded = false
    for argument in arguments {
      switch (flagsEnded, argument) {
      case (false, BytePath("--")): flagsEnded = true
      case (false, BytePath("--force")), (false, BytePath("-f")): force = true
      case (false, BytePath("--help")), (false, BytePath("-h")): wantsHelp = true
      case (false, _) where argument.bytes.first == UInt8(ascii: "-") && argument.bytes.count > 1:
        throw .usage("export has no flag \(argument); see export --help")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    guard let first = operands.first else {
      throw .usage("export needs a SOURCE to pack: export [--force] SOURCE [TARGET]")
    }
    guard operands.count <= 2 else {
      throw .usage("export takes SOURCE and TARGET, not \(operands.count) names")
    }
    guard !operands.contains(where: { $0.bytes.isEmpty }) else {
      throw .usage("export was given an empty name")
    }
    source = first
    target = operands.dropFirst().first
  }
}
