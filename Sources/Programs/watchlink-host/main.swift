import Services

ServiceProgram.runHost(Array(CommandLine.arguments.dropFirst()))
