import EventLog
import Foundation
import LinkTransport
import QuizSync
import ServiceRuntime
import Storage
import WatchKit

/// The watch: an outbox behind a session.
public final class CompanionService: Service {
    private let session: WCSession
    private let delegate = WatchSessionDelegate()
    private let outbox: Outbox
    private let history = MessageHistory()
    private let tasks: BackgroundTasks
    private let startup = Startup()
    private let control: ControlServer

    init(_ settings: ServiceSettings, logger: Logger) throws {
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        outbox = Outbox(
            store: OutboxStore(path: settings.database), session: session, logger: logger,
            backoff: settings.outboxBackoff)
        tasks = BackgroundTasks(session: session, logger: logger)
        let methods = CompanionMethods(session: session, outbox: outbox, history: history, logger: logger)
        control = ControlServer(
            loop: try EventLoop(name: "watchlink-control"), path: settings.controlSocket, logger: logger,
            handler: methods.answer)
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        session.delegate = delegate
        // The launch itself is the first piece of background time: it ends when the session is up and has nothing to give.
        WKExtension.shared().delegate = tasks
        tasks.handle([WKWatchConnectivityRefreshBackgroundTask {}])
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            control.start { [outbox] error in
                if error == nil { outbox.start() }
                completion(error)
            }
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        outbox.finish()
        session.shutDown("the companion stops") { [control] in control.stop(completion) }
    }
}
