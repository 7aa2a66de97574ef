import Foundation

func progress(_ text: String) {
    FileHandle.standardError.write(Data("planter: \(text)\n".utf8))
}

let words = Array(CommandLine.arguments.dropFirst())
if words.contains("--help") || words.contains("-h") {
    print(Options.help)
    exit(0)
}
do {
    let options = try Options(words)
    let campaign = Campaign(options)
    if options.lists {
        try campaign.printSites()
        exit(0)
    }
    let report = try campaign.run()
    report.printAll()
    if let least = options.least, report.share < least {
        progress("fewer than \(least) % of the faults were caught")
        exit(3)
    }
} catch {
    progress("\(error)")
    exit(error is PlanterError ? 2 : 1)
}
