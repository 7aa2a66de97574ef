import ControlSocket
import DeviceEngine
import DeviceShell
package import EventLog
import LinkTransport
import QuizSync
import ServiceRuntime
import Storage
import WatchConnectivity

/// All that the services log. It is put together here, where everything that speaks is known.
package enum LogCatalogue {
    package static let subsystems: [LogSubsystem] = [
        .service, .link, .session, .transfers, .quizzes, .databases, .control, .background,
    ]

    package static let events: [LogEvent] = [
        LogEvent.ofServices, LogEvent.ofRuntime, LogEvent.ofLog, LogEvent.ofLink, LogEvent.ofEngine,
        LogEvent.ofSessions, LogEvent.ofQuizzes, LogEvent.ofDatabases, LogEvent.ofControl,
    ].flatMap(\.self)

    package static func subsystem(_ name: String) -> LogSubsystem? { subsystems.first { $0.name == name } }
}
