import WatchLinkServices

ServiceProgram.runCompanion(Array(CommandLine.arguments.dropFirst()))
