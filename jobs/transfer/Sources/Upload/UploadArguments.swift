internal import JobFiles

/// The options and arguments of the command line.
struct UploadArguments: JobArguments, Hashable {
  static let usage = """
    usage: upload [OPTIONS] FILE URL

    Sends a file to a server, and goes on where it was where the server can do that (tus 1.0, and the
    IETF's Resumable Uploads for HTTP).

      FILE               the file to send; it is not copied
      URL                http:// or https://; for tus: where uploads are created
      --method M         PUT (default), POST or PATCH, without asking for tus
      --answer-body FILE for programs: write the body of the answer there
      \(ConnectionOptions.usage)
      --help             this text

    Where the server knows neither, an upload that was interrupted begins from the start; one by POST
    fails instead, as it may have arrived. A name and password come from ~/.netrc, or from the header file.
    """

  var wantsHelp = false
  /// Nil = tus where the server supports it, else PUT.
  var method: Request.Method?
  var connection = ConnectionOptions()
  var answerBody: BytePath?
  var file = BytePath("")
  var address: WebAddress?

  /// Reads the arguments, without the program's name.
  init(_ arguments: [BytePath]) throws(TransferError) {
    var operands: [BytePath] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch String(decoding: argument.bytes, as: UTF8.self) {
      case "--help", "-h": wantsHelp = true
      case "--method": method = try Self.method(try ConnectionOptions.value(&rest, of: "--method"))
      case "--answer-body": answerBody = try ConnectionOptions.value(&rest, of: "--answer-body")
      case "--":
        operands += rest
        rest = []
      case let flag where flag.hasPrefix("-") && flag != "-":
        if try connection.take(flag, &rest) { continue }
        throw .usage("upload has no flag \(flag); see jobrun help upload")
      default: operands.append(argument)
      }
    }
    if wantsHelp { return }
    guard operands.count == 2, !operands.contains(where: { $0.bytes.isEmpty }) else {
      throw .usage(
        "upload takes FILE and URL; it was given \(Report.count(operands.count, "argument"))")
    }
    file = operands[0]
    address = try WebAddress(operands[1].description)
  }

  private static func method(_ value: BytePath) throws(TransferError) -> Request.Method {
    switch value.description.uppercased() {
    case "PUT": return .put
    case "POST": return .post
    case "PATCH": return .patch
    default: throw .usage("--method \(value) must be PUT, POST or PATCH")
    }
  }
}
