internal import Foundation
internal import Glibc
internal import JobFiles

/// Where the file goes, and what is sent along.
struct DownloadPlan {
  let address: WebAddress
  let force: Bool
  let connections: Int?
  let speed: Int64?
  let digest: [UInt8]?
  /// Lines of the header file.
  let fields: [String]
  let authorities: String?
  /// The folder the file goes into, and its name there if a person chose it.
  let folder: BytePath
  private let chosenName: BytePath?

  private static let defaultName = BytePath("download")
  private static let mostHeaderBytes = 64 << 10

  init(_ arguments: DownloadArguments) throws(TransferError) {
    guard let address = arguments.address else { preconditionFailure("only help has no address") }
    self.address = address
    force = arguments.force
    connections = arguments.connections
    speed = arguments.speed
    digest = arguments.digest
    authorities = try arguments.authorities.map { path throws(TransferError) in
      _ = try Self.read(path, for: "--ca-file")
      return path.description
    }
    fields = try arguments.headerFile.map(Self.fields) ?? []
    let target = arguments.target ?? BytePath(".")
    if FileStatus(target, follow: true)?.kind == .folder {
      folder = target
      chosenName = nil
    } else {
      folder = target.folder
      chosenName = target.name
      try checkIsFree(target)
    }
  }

  /// The file's path, once the server has said how it calls it.
  func target(serverName: BytePath?) -> BytePath {
    folder.appending(chosenName ?? serverName ?? address.fileName ?? Self.defaultName)
  }

  /// Where it lies until it is whole; known before the server is asked.
  var part: BytePath {
    let target = target(serverName: nil)
    return BytePath(target.bytes + Array(".part".utf8))
  }

  /// Refuses what a person would lose.
  func checkIsFree(_ target: BytePath) throws(TransferError) {
    guard let status = FileStatus(target, follow: false) else { return }
    guard status.kind == .file else { throw .target(target, "it is there, and no file") }
    guard force else { throw .target(target, "it is there already; --force replaces it") }
  }

  private static func fields(_ path: BytePath) throws(TransferError) -> [String] {
    let text = String(decoding: try read(path, for: "--header-file"), as: UTF8.self)
    var fields: [String] = []
    for line in text.split(whereSeparator: { $0.isNewline }) where !line.allSatisfy(\.isWhitespace)
    {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].allSatisfy({ $0.isASCII && !$0.isWhitespace })
      else {
        // The line may be a secret: it is not repeated.
        throw .usage("--header-file \(path): a line of it is not like Name: value")
      }
      fields.append(String(line))
    }
    return fields
  }

  private static func read(_ path: BytePath, for flag: String) throws(TransferError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path.description))
      return try handle.read(upToCount: mostHeaderBytes) ?? Data()
    } catch {
      throw .usage("\(flag) \(path) cannot be read: \(Report.reason(errno))")
    }
  }
}
