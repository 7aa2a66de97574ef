import WatchLinkServices

ServiceProgram.runHost(Array(CommandLine.arguments.dropFirst()))
