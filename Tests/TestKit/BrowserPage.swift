import Foundation

/// One page of a browser.
package final class BrowserPage {
  private let browser: Browser
  private let session: String

  /// Opens a page of this size, in CSS pixels; `hides`: hidden as soon as another one is shown.
  package init(
    _ browser: Browser, width: Int = 1440, height: Int = 900, isDark: Bool = false,
    hides: Bool = false
  ) throws {
    self.browser = browser
    let target = try browser.call("Target.createTarget", ["url": "about:blank"])
    let attached = try browser.call(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    session = attached["sessionId"] as? String ?? ""
    for domain in ["Page", "Network", "Runtime"] { try call(domain + ".enable") }
    // Only visible pages are drawn.
    try call("Page.bringToFront")
    try call("Emulation.setFocusEmulationEnabled", ["enabled": !hides])
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
    try call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
  }

  @discardableResult
  package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try browser.call(method, parameters, session: session)
  }

  /// Brings it to the front of its browser.
  package func show() throws {
    try call("Page.bringToFront")
  }

  /// Opens an address, and waits until the page is drawn and this expression is true.
  package func open(_ address: String, until expression: String) throws {
    try call("Page.navigate", ["url": address])
    try wait(until: expression)
  }

  /// The value of a JavaScript expression; for a promise, its result.
  package func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let problem = answer["exceptionDetails"] {
      throw Browser.Failure(description: "\(expression): \(problem)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  package func text(_ expression: String) throws -> String {
    try value(expression) as? String ?? ""
  }

  /// Waits until the expression is true: evaluated after every change of the document.
  ///
  /// - Returns: how long that took, in milliseconds.
  @discardableResult
  package func wait(until expression: String, within seconds: Int = 60) throws -> Double {
    let promise = """
      new Promise((done, failed) => {
        const begin = performance.now();
        const test = () => { try { return \(expression); } catch { return false; } };
        const look = () => { if (test()) { watch.disconnect(); done(performance.now() - begin); } };
        const watch = new MutationObserver(look);
        watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        setTimeout(() => failed(new Error('not within \(seconds) s: ' + document.body?.innerText)), \(seconds * 1000));
        look();
      })
      """
    do {
      return try value(promise) as? Double ?? 0
    } catch let failure as Browser.Failure where failure.description.contains("navigat") {
      // The page was meanwhile navigated to another document.
      return try value(promise) as? Double ?? 0
    }
  }

  /// Clicks an element in its middle with a real mouse event.
  package func press(_ selector: String) throws {
    // What follows a press may be shown only after a turn of the page.
    try wait(until: "document.querySelector(\(Self.quoted(selector))).getClientRects().length > 0")
    let found =
      try value(
        """
        (() => { const box = document.querySelector(\(Self.quoted(selector))).getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2]; })()
        """) as? [Double] ?? []
    guard found.count == 2 else { throw Browser.Failure(description: "no \(selector)") }
    for type in ["mousePressed", "mouseReleased"] {
      try call(
        "Input.dispatchMouseEvent",
        ["type": type, "x": found[0], "y": found[1], "button": "left", "clickCount": 1])
    }
  }

  /// Presses a key of the keyboard, by its name in JavaScript.
  package func key(_ name: String) throws {
    let codes = ["Tab": 9, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40]
    for type in ["rawKeyDown", "keyUp"] {
      try call(
        "Input.dispatchKeyEvent",
        ["type": type, "key": name, "code": name, "windowsVirtualKeyCode": codes[name] ?? 0])
    }
  }

  /// The addresses that this browser has requested.
  package var addresses: [String] {
    browser.events.filter { $0["method"] as? String == "Network.requestWillBeSent" }.compactMap {
      (($0["params"] as? [String: Any])?["request"] as? [String: Any])?["url"] as? String
    }
  }

  /// The accessibility tree as a screen reader gets it: role, name and value of each part, one a line.
  package func heard() throws -> [String] {
    let tree = try call("Accessibility.getFullAXTree")
    let nodes = tree["nodes"] as? [[String: Any]] ?? []
    func text(_ value: Any?) -> String {
      (value as? [String: Any])?["value"].map { "\($0)" } ?? ""
    }
    return nodes.compactMap { node in
      guard node["ignored"] as? Bool != true else { return nil }
      let role = text(node["role"])
      guard !["none", "generic", "InlineTextBox", "StaticText", "RootWebArea"].contains(role) else {
        return nil
      }
      let value = text(node["value"])
      return "\(role) \"\(text(node["name"]))\"" + (value.isEmpty ? "" : " = \(value)")
    }
  }

  /// Saves a screenshot as a PNG.
  package func picture(_ path: String) throws {
    let answer = try call("Page.captureScreenshot", ["format": "png"])
    let data = Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
    try data.write(to: URL(fileURLWithPath: path))
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [text])
    return String(decoding: data ?? Data(), as: UTF8.self).dropFirst().dropLast().description
  }
}
