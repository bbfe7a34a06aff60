import LinuxSystem

/// The keyboard and the signals of the person at the terminal.
///
/// Keys are taken only while this process is in the terminal's foreground, and given back before it
/// stops; the settings are back as they were when this value ends.
final class TerminalInput {
  /// The input since the last call.
  enum Arrival: Hashable {
    case key(UInt8)
    case move(KeyMove)
    /// The Escape key alone.
    case escape
    /// The terminal's reply about a mode.
    case mode(Int, value: Int)
    case interrupt
    /// TERM, HUP, or the terminal was closed.
    case leave
    /// The size changed, or the process was stopped and continued.
    case redraw
    /// Ctrl-Z: give the screen back, then call `stop()`.
    case stop
  }

  private let signals: SignalDescriptor
  private let keyboard = FileDescriptor(owning: 0)
  private var keys: TerminalKeys?
  private let wantsKeys: Bool
  private var isEnded = false
  private var decoder = KeyDecoder()

  /// Collects the signals from now on; an earlier one acted as usual.
  init(wantsKeys: Bool) throws(SystemError) {
    signals = try SignalDescriptor([
      Signal.interrupt, Signal.terminate, Signal.hangup, Signal.terminalStop, Signal.continue,
      Signal.windowChange,
    ])
    self.wantsKeys = wantsKeys && Terminal.isTerminal(0)
    grabKeys()
  }

  /// Whether keys are being read at the moment.
  var hasKeys: Bool { keys != nil }

  /// For a poll.
  var descriptors: [Int32] { keys == nil || isEnded ? [signals.number] : [signals.number, 0] }

  /// Starts reading keys if they are wanted and this process is in the foreground; called from time to time,
  /// because there is no event when the shell brings a process back.
  func grabKeys() {
    guard wantsKeys, keys == nil, !isEnded, Terminal.isForeground(0) else { return }
    keys = try? TerminalKeys(0)
  }

  /// Takes all keys as bytes, also those that are signals otherwise; what is written to the terminal reaches it
  /// unchanged.
  func takeTerminal() throws(SystemError) {
    releaseKeys()
    keys = try TerminalKeys(0, keepsSignals: false, isRaw: true)
  }

  /// The same after this process was stopped, and the shell has set the terminal its own way.
  func takeAgain() {
    // A terminal that is gone is noticed when it is read.
    try? keys?.resume()
  }

  /// The bytes that were typed; nil when the terminal is gone.
  func typed() -> [UInt8]? {
    var bytes: [UInt8] = []
    guard case .bytes? = try? keyboard.read(into: &bytes, maximum: 4_096) else {
      isEnded = true
      return nil
    }
    return bytes
  }

  /// Gives the terminal back as it was.
  func releaseKeys() {
    // A background process that configures the terminal would be stopped by it.
    guard keys != nil, Terminal.isForeground(0) || isEnded else { return }
    keys = nil
  }

  /// Whether the last input may be the Escape key, or the beginning of a sequence.
  var awaitsMore: Bool { decoder.endsInEscape }

  /// No input has followed for a while: resolves the last key.
  func settle() -> Arrival? {
    guard decoder.endsInEscape else { return nil }
    decoder.settleEscape()
    return .escape
  }

  /// The input on one of the descriptors.
  func arrivals(on number: Int32) throws(SystemError) -> [Arrival] {
    number == 0 ? readKeys() : try signals.drain().compactMap(Self.arrival)
  }

  /// Stops this process as Ctrl-Z does by default; returns when it is continued.
  func stop() {
    releaseKeys()
    Signal.raise(Signal.stop)
    grabKeys()
  }

  private func readKeys() -> [Arrival] {
    var bytes: [UInt8] = []
    guard case .bytes? = try? keyboard.read(into: &bytes, maximum: 64) else {
      isEnded = true
      return [.leave]
    }
    return decoder.decode(bytes).map(Self.arrival)
  }

  private static func arrival(_ element: KeyDecoder.Element) -> Arrival {
    switch element {
    case .key(let byte): .key(byte)
    case .move(let move): .move(move)
    case .mode(let mode, let value): .mode(mode, value: value)
    }
  }

  private static func arrival(_ signal: Int32) -> Arrival? {
    switch signal {
    case Signal.interrupt: .interrupt
    case Signal.terminate, Signal.hangup: .leave
    case Signal.terminalStop: .stop
    case Signal.windowChange, Signal.continue: .redraw
    default: nil
    }
  }
}
