import Foundation
import UIKit
import WatchConnectivity
import WatchKit

// Both apps of the probe in one program for Linux: WATCHLINK_ROLE decides. Only this file knows of WatchLink.
//
//     FidelityProbe [--record DIRECTORY]     the phone's or the watch's app
//     FidelityProbe claims                   prints all claims: identifier, sides, words

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["claims"] {
    for claim in Claims.all {
        print("\(claim.id)\t\(claim.sides.map(\.rawValue).joined(separator: ", "))\t\(claim.words)")
    }
    exit(EXIT_SUCCESS)
}

// Each app's object of the system posts the notifications of the app's state once it is used.
_ = UIApplication.shared
_ = WKApplication.shared()
let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
do {
    try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
} catch {
    FileHandle.standardError.write(Data("FINDING: no documents: \(error)\n".utf8))
}
let record = arguments.count == 2 && arguments[0] == "--record" ? URL(filePath: arguments[1]) : documents
if ProcessInfo.processInfo.environment["WATCHLINK_ROLE"] == "host" {
    Phone(system: "WatchLink", directory: documents, record: record) { print($0) }.start()
} else {
    Watch(system: "WatchLink", directory: documents) { print($0) }.start()
}
RunLoop.main.run()
