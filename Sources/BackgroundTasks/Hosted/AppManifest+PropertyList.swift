internal import Foundation
internal import JobClient
internal import JobWire

extension AppManifest {
  /// Reads an `Info.plist`, in XML or binary form.
  ///
  /// - Throws: `notPermitted`, with the file and the error in it.
  init(file: String, bytes: [UInt8]) throws(WireError) {
    self.init(file: file)
    let content: Any
    do {
      content = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    } catch {
      throw WireError(.notPermitted, "\(file) is not a property list: \(Self.reason(for: error))")
    }
    guard let keys = content as? [String: Any] else {
      throw WireError(
        .notPermitted, "\(file) is not a dictionary; an Info.plist begins with <dict>")
    }
    identifier = try Self.value("CFBundleIdentifier", of: keys, "a string", file)
    let displayName: String? = try Self.value("CFBundleDisplayName", of: keys, "a string", file)
    let plainName: String? = try Self.value("CFBundleName", of: keys, "a string", file)
    name = displayName ?? plainName
    let permitted: [String]? = try Self.value(
      "BGTaskSchedulerPermittedIdentifiers", of: keys, "an array of strings", file)
    self.permitted = permitted ?? []
    let modes: [String]? = try Self.value(
      "UIBackgroundModes", of: keys, "an array of strings", file)
    self.modes = Set(modes ?? [])
  }

  private static func value<Value>(
    _ key: String, of keys: [String: Any], _ right: String, _ file: String
  ) throws(WireError) -> Value? {
    guard let value = keys[key] else { return nil }
    guard let fitting = value as? Value else {
      throw WireError(.notPermitted, "\(key) in \(file) must be \(right)")
    }
    return fitting
  }

  /// The parser's explanation, if it has one.
  private static func reason(for error: any Error) -> String {
    let said = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
    return said ?? error.localizedDescription
  }
}
