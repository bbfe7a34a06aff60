/// Private groups: most systems give every user a group without other members, and let that group write to
/// all that the user makes (umask 002).
///
/// Read from the system's files, as a static program has no other way; a group that is not in them counts
/// as private when it has its user's number.
package enum PrivateGroup {
  private static let maximumBytes = 4 << 20

  /// Whether the only member of this group is the user of this process, so that group permissions give
  /// access to no other user.
  package static func isOwn(_ group: UInt32) -> Bool {
    guard group == CurrentProcess.groupOfNewFiles else { return false }
    let users = (try? File.readAll("/etc/passwd", limit: maximumBytes)) ?? []
    let groups = (try? File.readAll("/etc/group", limit: maximumBytes)) ?? []
    return isPrivate(
      group, of: CurrentProcess.userIdentifier, users: users, groups: groups)
  }

  /// The same, from the contents of passwd(5) and group(5).
  package static func isPrivate(
    _ group: UInt32, of user: UInt32, users: [UInt8], groups: [UInt8]
  ) -> Bool {
    var name: String?
    for fields in lines(users) where fields.count > 3 {
      if UInt32(fields[2]) == user { name = fields[0] }
      if UInt32(fields[3]) == group, let other = UInt32(fields[2]), other != user, other != 0 {
        return false
      }
    }
    guard let entry = lines(groups).first(where: { $0.count > 2 && UInt32($0[2]) == group }) else {
      return group == user
    }
    guard group == user || entry[0] == name else { return false }
    let members = entry.count > 3 ? entry[3].split(separator: ",") : []
    return members.allSatisfy { $0 == name ?? "" || $0 == "root" }
  }

  private static func lines(_ bytes: [UInt8]) -> [[String]] {
    bytes.split(separator: 0x0A).map { line in
      line.split(separator: 0x3A, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}
