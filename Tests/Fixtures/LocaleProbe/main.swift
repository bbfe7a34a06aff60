import Foundation

let text = Date(timeIntervalSince1970: 0).formatted(
  Date.FormatStyle(
    date: .complete, time: .omitted, locale: Locale(identifier: "en_US"), timeZone: .gmt))
FileHandle.standardOutput.write(Data("\(text)\n".utf8))
