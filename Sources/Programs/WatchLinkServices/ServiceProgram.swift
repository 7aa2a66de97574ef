import CStartSignals
import Foundation
import Processes
public import RecordSync
import ServiceRuntime
import Services

/// The services of one's own applications. Each is a program of one line:
///
///     import WatchLinkServices
///
///     ServiceProgram.host(Steps.self)
///
/// Such a program has the options, the configuration, the signals, the exit codes and the control socket of
/// `watchlink-host` or `watchlink-companion`, so `watchlink` shows and controls it like those.
public enum ServiceProgram {
    /// Runs the phone's service: it stores each payload once, and answers after the commit.
    ///
    /// - Parameters:
    ///   - type: The payloads of the only application.
    ///   - arguments: The words after the program's name.
    public static func host(
        _ type: (some RecordPayload).Type, arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> Never {
        host([application(of: type)], arguments: arguments)
    }

    /// Runs the watch's service: it keeps each payload in an outbox until the host has stored it.
    ///
    /// - Parameters:
    ///   - type: The payloads of the only application.
    ///   - arguments: The words after the program's name.
    public static func companion(
        _ type: (some RecordPayload).Type, arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> Never {
        companion([application(of: type)], arguments: arguments)
    }

    /// Runs the phone's service for several applications, each with a database of its own.
    public static func host(
        _ applications: [RecordApplication], arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> Never {
        Services.ServiceProgram.runHost(arguments, of: applications, program: program)
    }

    /// Runs the watch's service for several applications, each with an outbox of its own.
    public static func companion(
        _ applications: [RecordApplication], arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> Never {
        Services.ServiceProgram.runCompanion(arguments, of: applications, program: program)
    }

    /// The name of this program's file.
    private static var program: String { URL(filePath: CommandLine.arguments[0]).lastPathComponent }

    /// Returns the application of a type, or ends the program if its names cannot be those of a table.
    private static func application(of type: (some RecordPayload).Type) -> RecordApplication {
        do throws(RecordKindError) {
            return try RecordApplication(type)
        } catch {
            ProgramEnd.fail("\(error)", .notConfigured, program)
        }
    }
}
