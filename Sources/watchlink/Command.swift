import Foundation
import ServiceRuntime

/// One of the command line's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// Lines of the help.
    static var usage: [String] { get }
    static func run(_ invocation: Invocation) throws -> ExitCode
}
