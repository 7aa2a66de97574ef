import CProbe
import CVirtualTime
import Foundation

extension Construct {
    /// Children, and identifiers of processes.
    static let processes = [
        Construct("children") {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 1)
                trace("another thread")
            }
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "sleep 0.1; echo from the child; exit 3"]
            process.standardOutput = pipe
            do { try process.run() } catch { virtual_time_finish("could not run: \(error)") }
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            trace("\(String(decoding: output.dropLast(), as: UTF8.self)), code \(process.terminationStatus)")
            Thread.sleep(forTimeInterval: 2)
            finish()
        },
        Construct("waits-for-children") {
            var process: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [
                strdup("sh"), strdup("-c"), strdup("sleep 0.1; exit 4"), nil,
            ]
            posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
            var status: Int32 = 0
            trace("waited \(waitpid(process, &status, 0) == process), code \(status >> 8)")
            trace("none left \(wait(&status)) \(errno == ECHILD)")
            finish()
        },
        Construct("shells") { probe_shells() },
        Construct("identifiers") { probe_identifiers() },
        Construct("questions") { probe_questions() },
    ]
}
