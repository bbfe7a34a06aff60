import JobRunner

RunnerProgram.leave(with: RunnerProgram.run())
