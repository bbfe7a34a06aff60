internal import JobFiles

/// The options and arguments of the command line.
struct VacuumArguments: JobArguments, Hashable {
  static let usage = """
    usage: vacuum FOLDER

    Checks the SQLite databases in and below FOLDER, and frees the space that they no
    longer use.

      FOLDER   the folder to search; links are not followed
      --help   this text

    Each database is checked first (PRAGMA integrity_check). One that is damaged, in use, has two
    names, or has too little free space beside it, is reported and left as it is. SQLite writes a
    database as a whole or not at all, so that it may be stopped at any time. Damaged databases
    make the job end as failed (exit code 2), with all others done.
    """

  var wantsHelp = false
  var folder = BytePath("")

  /// Reads the arguments, without the program's name.
  init(_ arguments: [BytePath]) throws(VacuumError) {
    var operands: [BytePath] = []
    var flagsEnded = false
    for argument in arguments {
      switch (flagsEnded, argument) {
      case (false, BytePath("--")): flagsEnded = true
      case (false, BytePath("--help")), (false, BytePath("-h")): wantsHelp = true
      case (false, _) where argument.bytes.first == UInt8(ascii: "-") && argument.bytes.count > 1:
        throw .usage("vacuum has no flag \(argument); see vacuum --help")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    guard operands.count == 1, let first = operands.first, !first.bytes.isEmpty else {
      throw .usage("vacuum takes one FOLDER; it was given \(operands.count)")
    }
    folder = first
  }
}
