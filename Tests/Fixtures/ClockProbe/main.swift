import Foundation
import LinuxSystem

// Answers one question an argument about the clock on the wall of this process' time zone (TZ):
// `next HOUR MINUTE AFTER`, `shown TIME` or `time SHOWN`, all in milliseconds since 1970.
for question in CommandLine.arguments.dropFirst() {
  let words = question.split(separator: " ")
  let numbers = words.dropFirst().compactMap { Int64($0) }
  let answer: Int64
  switch (words.first, numbers.count) {
  case ("next", 3):
    answer = LocalClock.next(
      hour: Int(numbers[0]), minute: Int(numbers[1]), after: numbers[2])
  case ("shown", 1): answer = LocalClock.shown(numbers[0])
  case ("time", 1): answer = LocalClock.time(showing: numbers[0])
  default: exit(64)
  }
  FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
}
