import Services

ServiceProgram.runCompanion(Array(CommandLine.arguments.dropFirst()))
