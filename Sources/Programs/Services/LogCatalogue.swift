import ControlSocket
import DeviceEngine
import DeviceShell
package import EventLog
import LinkTransport
import QuizSync
import ServiceRuntime
import Storage
import WatchConnectivity

/// All events and subsystems of the services' logs, collected here because this module imports every module that logs.
package enum LogCatalogue {
    /// The subsystems, in the order of the manual page.
    package static let subsystems: [LogSubsystem] = [
        .service, .link, .session, .transfers, .quizzes, .databases, .control, .background,
    ]

    /// The events, in the order of the manual page.
    package static let events: [LogEvent] = [
        LogEvent.ofServices, LogEvent.ofRuntime, LogEvent.ofLog, LogEvent.ofLink, LogEvent.ofEngine,
        LogEvent.ofSessions, LogEvent.ofQuizzes, LogEvent.ofDatabases, LogEvent.ofControl,
    ].flatMap(\.self)

    package static func subsystem(_ name: String) -> LogSubsystem? { subsystems.first { $0.name == name } }
}
