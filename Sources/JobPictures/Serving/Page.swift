internal import WebPage

/// The files of the page, which are part of this program.
@safe
struct Page {
  let type: String
  let bytes: [UInt8]

  /// Nil for an unknown path.
  static func file(_ path: String) -> Page? {
    switch path {
    case "/": unsafe Page("text/html; charset=utf-8", web_page_html())
    case "/page.css": unsafe Page("text/css; charset=utf-8", web_page_style())
    case "/page.js": unsafe Page("text/javascript; charset=utf-8", web_page_script())
    case "/icon.svg": unsafe Page("image/svg+xml", web_page_icon())
    default: nil
    }
  }

  /// The style of reports, which stands in them.
  static var reportStyle: String {
    String(decoding: unsafe Page("text/css", web_page_report_style()).bytes, as: UTF8.self)
  }

  private init(_ type: String, _ file: web_page_file) {
    self.type = type
    bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
