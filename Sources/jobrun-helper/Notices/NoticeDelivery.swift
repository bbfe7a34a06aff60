internal import JobWire
internal import LinuxSystem

/// Carries out one order; errors become the answer.
enum NoticeDelivery {
  /// The answer to the order on standard input, which is a file.
  static func answer(library: String) -> NoticeAnswer {
    do {
      let bytes = try MemoryFile.content(
        of: FileDescriptor(owning: 0), limit: NoticeOrder.bytesLimit)
      return answer(try NoticeOrder(line: bytes[...]), library: library)
    } catch {
      return NoticeAnswer(isDone: false, why: "the order cannot be read: \(error)")
    }
  }

  private static func answer(_ order: NoticeOrder, library: String) -> NoticeAnswer {
    do throws(BusError) {
      let bus = try SessionBus.connect(library: library)
      switch order.act {
      case .check:
        return NoticeAnswer(isDone: true, why: try service(on: bus))
      case .close:
        try bus.call("CloseNotification") { (message) throws(BusError) in
          try message.append(order.replaces)
        } answer: { _ in
        }
        return NoticeAnswer(isDone: true, why: "the last notice was taken back")
      case .show:
        let number = try show(order, on: bus)
        return NoticeAnswer(number: number, isDone: true, why: "the last notice was shown")
      }
    } catch {
      return NoticeAnswer(isDone: false, why: error.description)
    }
  }

  /// Name and version of the service.
  private static func service(on bus: borrowing SessionBus) throws(BusError) -> String {
    try bus.call("GetServerInformation") { (reply) throws(BusError) in
      let name = try reply.text() ?? ""
      let vendor = try reply.text() ?? ""
      let version = try reply.text() ?? ""
      return [name, version].filter { !$0.isEmpty }.joined(separator: " ")
        + (vendor.isEmpty ? "" : " (\(vendor))")
    }
  }

  /// Shows a notice and returns its number at the service.
  private static func show(
    _ order: NoticeOrder, on bus: borrowing SessionBus
  ) throws(BusError) -> UInt32 {
    let abilities = try bus.call("GetCapabilities") { (reply) throws(BusError) in
      try reply.texts()
    }
    // Without that capability, markup would be shown literally.
    let body = abilities.contains("body-markup") ? order.markedUpBody : order.body
    return try bus.call("Notify") { (message) throws(BusError) in
      try message.append("jobrun")
      try message.append(order.replaces)
      try message.append(order.icon)
      try message.append(order.summary)
      try message.append(body)
      try message.within("a", of: "s") {}
      try message.within("a", of: "{sv}") { () throws(BusError) in
        try message.within("e", of: "sv") { () throws(BusError) in
          try message.append("urgency")
          try message.within("v", of: "y") { () throws(BusError) in
            try message.append(order.urgency)
          }
        }
      }
      // The service's default duration.
      try message.append(Int32(-1))
    } answer: { (reply) throws(BusError) in
      try reply.number()
    }
  }
}
