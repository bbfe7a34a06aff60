/// A boxed text, for a property that few values have.
struct HeapText: Hashable, Sendable {
  private final class Box: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  private let box: Box

  var text: String { box.text }

  init(_ text: String) { box = Box(text) }

  static func == (left: HeapText, right: HeapText) -> Bool {
    left.box === right.box || left.text == right.text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
