internal import Foundation
internal import JobFiles

/// The options and arguments of the command line.
struct DownloadArguments: JobArguments, Hashable {
  static let usage = """
    usage: download [OPTIONS] URL [TARGET]

    Fetches URL into a file, and continues where it was after an interruption.

      URL                http:// or https://
      TARGET             the file, or a folder for it; default: the server's name for it, here
      --force            replace a file that is there already
      --sha256 HEX       the expected checksum, or a line of sha256sum
      --method M         GET (default), POST, PUT or PATCH
      --body FILE        what to send with POST, PUT or PATCH
      --connections N    pieces to fetch at the same time, 1 to 16; default: 4 from 64 MB on
      \(ConnectionOptions.usage)
      --help             this text

    The file appears under its name only when it is whole and checked. Until then it is TARGET.part,
    with notes beside it in TARGET.part.notes; the same command, or jobrun redo, goes on with it. A
    name and password come from ~/.netrc, or from the header file.
    """

  var wantsHelp = false
  var force = false
  var digest: [UInt8]?
  var connections: Int?
  var method = Request.Method.get
  var body: BytePath?
  var connection = ConnectionOptions()
  var address: WebAddress?
  var target: BytePath?

  private static let maximumConnections = 16

  /// Reads the arguments, without the program's name.
  init(_ arguments: [BytePath]) throws(TransferError) {
    var operands: [BytePath] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch String(decoding: argument.bytes, as: UTF8.self) {
      case "--help", "-h": wantsHelp = true
      case "--force", "-f": force = true
      case "--sha256": digest = try Self.digest(try ConnectionOptions.value(&rest, of: "--sha256"))
      case "--method": method = try Self.method(try ConnectionOptions.value(&rest, of: "--method"))
      case "--body": body = try ConnectionOptions.value(&rest, of: "--body")
      case "--connections":
        connections = try Self.count(try ConnectionOptions.value(&rest, of: "--connections"))
      case "--":
        operands += rest
        rest = []
      case let flag where flag.hasPrefix("-") && flag != "-":
        if try connection.take(flag, &rest) { continue }
        throw .usage("download has no flag \(flag); see jobrun help download")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    try read(operands)
  }

  private mutating func read(_ operands: [BytePath]) throws(TransferError) {
    guard (1...2).contains(operands.count) else {
      throw .usage(
        "download takes URL and maybe TARGET; it was given \(Report.count(operands.count, "argument"))"
      )
    }
    guard !operands.contains(where: { $0.bytes.isEmpty }) else {
      throw .usage("download was given an empty argument")
    }
    guard body == nil || method != .get else {
      throw .usage("--body needs --method POST, PUT or PATCH; a GET has no body")
    }
    address = try WebAddress(operands[0].description)
    target = operands.dropFirst().first
  }

  /// The digits, or the line of `sha256sum` that starts with them.
  private static func digest(_ value: BytePath) throws(TransferError) -> [UInt8] {
    let word = value.bytes.prefix { $0 != UInt8(ascii: " ") }
    let digits = word.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64, word.count == 64, !value.bytes.contains(UInt8(ascii: "\n")) else {
      throw .usage(
        "--sha256 \(value) is not a SHA-256; it must be 64 hexadecimal digits, or one line of sha256sum"
      )
    }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func method(_ value: BytePath) throws(TransferError) -> Request.Method {
    guard let method = Request.Method(rawValue: value.description.uppercased()),
      [.get, .post, .put, .patch].contains(method)
    else { throw .usage("--method \(value) must be GET, POST, PUT or PATCH") }
    return method
  }

  private static func count(_ value: BytePath) throws(TransferError) -> Int {
    guard let count = Int(value.description), (1...maximumConnections).contains(count) else {
      throw .usage("--connections \(value) must be a number from 1 to \(maximumConnections)")
    }
    return count
  }
}
