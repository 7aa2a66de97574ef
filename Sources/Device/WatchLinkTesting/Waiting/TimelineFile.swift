import Configuration
import Foundation

// Programs that stand alone contain no test library; the toolchain has none to link statically.
#if canImport(Testing)
    import Testing
#endif

/// The timeline of a failed wait, as a file and as an attachment of the test.
enum TimelineFile {
    /// The variable that names the directory of simulated tests' findings, too.
    private static let directoryVariable = "WATCHLINK_FINDINGS"

    /// Returns the path of the file, or the reason why there is none; nil if the program cannot draw timelines, or the devices did nothing.
    static func keep(_ devices: [DeviceEvidence], at place: CallSite) -> String? {
        guard let draw = LinkedTimeline.ofProgram else { return nil }
        do {
            guard let page = try draw(devices) else { return nil }
            let name = "\(place.stem).html"
            // XCTest has no attachments here, and Swift Testing keeps them only if it is asked to.
            #if canImport(Testing)
                if Test.current != nil { Attachment.record(page, named: name) }
            #endif
            let directory =
                ProcessInfo.processInfo.environment[directoryVariable].map { URL(filePath: $0) }
                ?? TestPrograms.directory.appending(path: "failed-waits")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let file = directory.appending(path: name)
            try Data(page.utf8).write(to: file, options: .atomic)
            return file.plainPath
        } catch {
            return "none, because of an error: \(error)"
        }
    }
}
