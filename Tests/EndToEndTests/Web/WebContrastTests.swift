import TestKit
import Testing

// What is written can be read in both schemes of colours (WCAG 2.2, 1.4.3).
extension WebPageTests {
  /// Texts with less contrast than 4.5 to 1, as drawn.
  private static let faint = """
    (() => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      const light = (pixel) => [...pixel].slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, index) => sum + v * [0.2126, 0.7152, 0.0722][index], 0);
      const drawn = (colours) => {
        for (const each of colours) { canvas.fillStyle = each; canvas.fillRect(0, 0, 1, 1); }
        return light(canvas.getImageData(0, 0, 1, 1).data);
      };
      const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, chain = [];
        if (!walk.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
        if (element.closest('.unseen') || element instanceof SVGElement) continue;
        for (let each = element; each; each = each.parentElement) chain.unshift(getComputedStyle(each).backgroundColor);
        const ground = drawn(['Canvas', ...chain]), ink = drawn([getComputedStyle(element).color]);
        const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
        if (ratio < 4.5) found.push(`${walk.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
      }
      return found.join(', ');
    })()
    """

  @Test(arguments: [false, true])
  func `every word stands out from its ground`(isDark: Bool) throws {
    let stays = "echo \"$JOBRUN_JOB\" > \"$READY.$JOBRUN_JOB\"; read x < \"$GATE\""
    try workshop.define(
      "still",
      "printf '\\033[31mred \\033[33myellow \\033[36mcyan\\033[0m\\n'; jobrun progress --total 4; \(stays)"
    )
    _ = workshop.gate
    try workshop.jobrun("slots", "8")
    for _ in 1...3 { _ = try workshop.submit("still") }
    for number in 1...3 { try workshop.awaitReady(UInt64(number)) }
    try workshop.jobrun("simulate", "stall", "2")
    try workshop.jobrun("pause", "3")
    _ = try workshop.jobrun("run", "--", "sh", "-c", "echo error: disk on fire; exit 3")
    _ = try workshop.jobrun("run", "--", "true")
    _ = try workshop.jobrun("run", "--detach", "--hold", "--", "true")
    let served = try ServedPage(workshop)
    for path in ["/now", "/history", "/jobs/1", "/jobs/2", "/jobs/4"] {
      let page = try opened(served, isDark: isDark)
      try page.wait(until: "document.querySelector('.asks') !== null")
      _ = try page.value("location.hash = '\(path)'")
      if path.hasPrefix("/jobs") {
        try page.wait(until: "document.querySelector('#log div')?.textContent.length > 0")
      }
      let faint = try page.text(Self.faint)
      #expect(faint.isEmpty, "\(path): \(faint)")
    }
  }
}
