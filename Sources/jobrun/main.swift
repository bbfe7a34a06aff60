import LinuxSystem

CurrentProcess.exit(Program.run(CurrentProcess.arguments().dropFirst().map(Argument.init(bytes:))))
