import Foundation

// A phone or a watch, by WATCHLINK_ROLE, of the pair that the first word names. The word “flawed” or “correct” lists the names of such pairs.

let word = CommandLine.arguments.dropFirst().first ?? ""
let names = Catalogue.names(of: word)
guard names.isEmpty else {
    print(names.joined(separator: "\n"))
    exit(0)
}
guard let pair = Catalogue.pair(word) else {
    FileHandle.standardError.write(
        Data("ClientPairs: “\(word)” is not a pair; “flawed” and “correct” list them\n".utf8))
    exit(2)
}
let app = Device.own == .phone ? pair.phone() : pair.watch()
app.launch()
RunLoop.main.run()
