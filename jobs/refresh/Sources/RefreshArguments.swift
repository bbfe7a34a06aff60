internal import JobFiles

/// The options and arguments of the command line.
struct RefreshArguments: JobArguments, Hashable {
  static let usage = """
    usage: refresh [--every DURATION | --once] URL FILE

    Fetches URL with curl, keeps it as FILE, says when it is another than before, and asks to run
    again.

      URL        http://, https:// or file://
      FILE       where its content is kept; what is there stays until the new content is whole
      --every D  when to look again: 30m, 1h (default), 1d; not before that, and maybe a bit later
      --once     do not look again
      --help     this text

    A server that knows entity tags is asked only for what is new; the tag is kept in FILE.etag.
    """

  var wantsHelp = false
  /// In the format of `jobrun schedule`; nil = no further run.
  var every: String? = "1h"
  var address = ""
  var path = ""

  /// Far smaller than a pipe's buffer, through which curl gets it.
  private static let maximumAddressBytes = 16_384
  private static let schemes = ["http://", "https://", "file://"]

  /// Reads the arguments, without the program's name.
  init(_ arguments: some Sequence<String>) throws(RefreshError) {
    var operands: [String] = []
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--once": every = nil
      case "--every":
        guard let span = rest.next(), span.wholeMatch(of: /([0-9]+(ms|s|m|h|d))+/) != nil else {
          throw .usage("--every needs a duration, such as 30m or 1h30m")
        }
        every = span
      case "--":
        while let operand = rest.next() { operands.append(operand) }
      case _ where argument.hasPrefix("-") && argument.count > 1:
        throw .usage("refresh has no flag \(argument); see refresh --help")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    guard operands.count == 2, !operands.contains("") else {
      throw .usage("refresh takes URL and FILE; it was given \(operands.count)")
    }
    guard Self.schemes.contains(where: { operands[0].lowercased().hasPrefix($0) }) else {
      throw .usage(
        "\(Report.address(operands[0])) is not an address; it must begin with http://, https:// or file://"
      )
    }
    guard operands[0].utf8.count <= Self.maximumAddressBytes else {
      throw .usage(
        "the address has \(operands[0].utf8.count) bytes; \(Self.maximumAddressBytes) is the limit")
    }
    address = operands[0]
    path = operands[1]
  }

  /// The arguments of the next run: the same.
  var words: [String] {
    (every.map { ["--every", $0] } ?? ["--once"]) + ["--", address, path]
  }
}
