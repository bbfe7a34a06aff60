internal import JobFiles

/// The target of the file, and the fields of the requests.
struct DownloadPlan {
  let address: WebAddress
  let force: Bool
  let connections: Int?
  let digest: [UInt8]?
  /// Lines of the header file.
  let fields: [String]
  let options: ConnectionOptions
  let method: Request.Method
  /// What is sent with it.
  let body: SentFile?
  /// What the notes say of the request; nil for a GET.
  let question: TransferNotes.Question?
  /// The folder of the file, and its name there if the command line gives it.
  let folder: BytePath
  private let chosenName: BytePath?

  private static let defaultName = BytePath("download")

  init(_ arguments: DownloadArguments) throws(TransferError) {
    guard let address = arguments.address else { preconditionFailure("only help has no address") }
    self.address = address
    force = arguments.force
    connections = arguments.connections
    digest = arguments.digest
    options = arguments.connection
    method = arguments.method
    body = try arguments.body.map { path throws(TransferError) in try SentFile(path) }
    question =
      method == .get
      ? nil
      : TransferNotes.Question(
        method: method.rawValue, body: body?.stamp, digest: body?.smallDigest)
    fields = try options.fields()
    let target = arguments.target ?? BytePath(".")
    if FileStatus(target, follow: true)?.kind == .folder {
      folder = target
      chosenName = nil
    } else {
      guard target.bytes.last != UInt8(ascii: "/") else {
        throw .target(target, "there is no such folder")
      }
      folder = target.folder
      chosenName = target.name
    }
  }

  /// Whether nothing is missing of what a program wants to know of the server's response.
  var hasAnswer: Bool { options.answer?.isThere ?? true }

  /// The file's path, if the command line gives it.
  var chosenTarget: BytePath? { chosenName.map { folder.appending($0) } }

  /// Whether a request that may have arrived can be sent again.
  var mayRepeat: Bool { method == .get || method == .put }

  /// The file's path, once the server has given its name.
  func target(serverName: BytePath?) -> BytePath {
    folder.appending(chosenName ?? serverName ?? address.fileName ?? Self.defaultName)
  }

  /// The path of the partial file; known before the first request.
  var part: BytePath {
    let target = target(serverName: nil)
    return BytePath(target.bytes + Array(".part".utf8))
  }

  /// The path of the notes on the partial file.
  var notes: BytePath { BytePath(part.bytes + Array(".notes".utf8)) }

  /// Refuses to overwrite a person's file.
  func checkIsFree(_ target: BytePath) throws(TransferError) {
    guard let status = FileStatus(target, follow: false) else { return }
    guard status.kind == .file else { throw .target(target, "it is there, and not a file") }
    guard force else { throw .target(target, "it is there already; --force replaces it") }
  }
}
