/// A value on the heap: copies share it, and cost one reference however large it is.
///
/// For what hardly ever changes, as each change makes a new box.
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  package init(_ value: Value) { box = Box(value) }

  /// Read in place.
  package var value: Value { _read { yield box.value } }

  package static func == (left: Boxed, right: Boxed) -> Bool {
    left.box === right.box || left.value == right.value
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
