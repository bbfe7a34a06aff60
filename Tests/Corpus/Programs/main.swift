import BackgroundTasks

// `corpus-swift5 HABIT` and `corpus-swift6 HABIT`: exit with 0 when the habit works as on Apple's platforms,
// otherwise with 1 and a line for each difference.
guard let habit = Habit.chosen(CommandLine.arguments, ProcessInfo.processInfo.environment) else {
  let names = Habit.all.map { $0.name + "\n" }.joined()
  FileHandle.standardOutput.write(Data(names.utf8))
  exit(64)
}
habit.launch()
if BGTaskScheduler.shared.isWorker { BGTaskScheduler.shared.runUntilComplete() }
let stage = Stage()
do {
  try await habit.use(stage)
} catch {
  stage.expect(false, "thrown: \(error)")
}
for problem in stage.problems { FileHandle.standardError.write(Data((problem + "\n").utf8)) }
exit(stage.problems.isEmpty ? 0 : 1)
