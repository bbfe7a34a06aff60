/// What `jobrun-helper notify` reads on its standard input, as one line of JSON: what the session's
/// notification service is to do.
///
/// Specification: Desktop Notifications 1.2, `org.freedesktop.Notifications`.
package struct NoticeOrder: Hashable, Sendable {
  package enum Act: String, Hashable, Sendable, CaseIterable {
    /// Show a notice.
    case show
    /// Take the notice `replaces` away.
    case close
    /// Show nothing; find out whether there is a service.
    case check
  }

  package var act: Act
  /// The notice that this one takes the place of; 0 = none.
  package var replaces: UInt32 = 0
  /// One line.
  package var summary = ""
  /// Plain text, lines separated by newlines; never markup.
  package var body = ""
  /// A name of the Icon Naming Specification.
  package var icon = ""
  /// 0 low, 1 normal, 2 critical.
  package var urgency: UInt8 = 1

  package init(_ act: Act) {
    self.act = act
  }

  /// More than any order has.
  package static let bytesLimit = 64 * 1024

  /// The body for a service that takes a little markup: what would be some is shown as it is.
  package var markedUpBody: String {
    var text = ""
    for character in body {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
    return text
  }
}

extension NoticeOrder: Coded {
  package init() { self.init(.check) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&act, "act")
    try coder.code(&replaces, "replaces")
    try coder.code(&summary, "summary")
    try coder.code(&body, "body")
    try coder.code(&icon, "icon")
    try coder.code(&urgency, "urgency")
  }
}

extension NoticeOrder.Act: FieldValue {}
