/// One message of the bus, being filled or read.
@safe
struct BusMessage: ~Copyable {
  let handle: OpaquePointer
  private let functions: BusFunctions

  @unsafe
  init(owning handle: OpaquePointer, _ functions: BusFunctions) {
    unsafe self.handle = handle
    self.functions = functions
  }

  deinit {
    _ = unsafe functions.releaseMessage(handle)
  }

  // MARK: Filling

  borrowing func append(_ text: String) throws(BusError) {
    // The bus ends a string at its first NUL.
    try check(unsafe text.withCString { unsafe functions.append(handle, Self.code("s"), $0) })
  }

  borrowing func append(_ number: UInt32) throws(BusError) {
    var number = number
    try check(unsafe functions.append(handle, Self.code("u"), &number))
  }

  borrowing func append(_ number: Int32) throws(BusError) {
    var number = number
    try check(unsafe functions.append(handle, Self.code("i"), &number))
  }

  borrowing func append(_ byte: UInt8) throws(BusError) {
    var byte = byte
    try check(unsafe functions.append(handle, Self.code("y"), &byte))
  }

  /// A container: an array `a`, a dictionary's entry `e` or a variant `v`.
  borrowing func within(
    _ kind: Character, of contents: String, _ fill: () throws(BusError) -> Void
  ) throws(BusError) {
    try check(unsafe functions.openContainer(handle, Self.code(kind), contents))
    try fill()
    try check(unsafe functions.closeContainer(handle))
  }

  // MARK: Reading

  /// The next string; nil at the end of the array.
  borrowing func text() throws(BusError) -> String? {
    var text: UnsafePointer<CChar>?
    let code = unsafe functions.read(handle, Self.code("s"), &text)
    try check(code)
    guard code > 0, let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  borrowing func number() throws(BusError) -> UInt32 {
    var number: UInt32 = 0
    try check(unsafe functions.read(handle, Self.code("u"), &number))
    return number
  }

  /// The strings of an array.
  borrowing func texts() throws(BusError) -> [String] {
    try check(unsafe functions.enterContainer(handle, Self.code("a"), "s"))
    var texts: [String] = []
    while let text = try text() { texts.append(text) }
    return texts
  }

  private static func code(_ character: Character) -> CChar {
    CChar(bitPattern: character.asciiValue ?? 0)
  }

  private func check(_ code: Int32) throws(BusError) {
    guard code >= 0 else { throw BusError("the message was not understood", code: code) }
  }
}
