import WatchConnectivity

// An app whose module belongs to the main actor (-default-isolation MainActor). Its word “repaired” selects a delegate whose methods do not.
let isRepaired = CommandLine.arguments.contains("repaired")
let delegate: any WCSessionDelegate = isRepaired ? FreeModel() : Model()
WCSession.default.delegate = delegate
WCSession.default.activate()
RunLoop.main.run()
