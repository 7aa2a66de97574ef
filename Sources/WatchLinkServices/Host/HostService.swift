import EventLog
import Foundation
import LinkTransport
import QuizSync
import ServiceRuntime
import Storage

/// The phone: a session whose quizzes go into the database.
public final class HostService: Service {
    /// The database's file in the state directory.
    public static let databaseName = "quizzes.sqlite"

    private let session: WCSession
    private let delegate = WatchSessionDelegate()
    private let store: ObservedQuizStore
    private let receiver: QuizReceiver
    private let history = MessageHistory()
    private let startup = Startup()
    private let control: ControlServer
    private let logger: Logger
    private let database: String

    init(_ settings: ServiceSettings, logger: Logger) throws {
        self.logger = logger
        database = settings.database
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        store = ObservedQuizStore(SQLiteQuizStore(path: settings.database))
        receiver = QuizReceiver(store: store, logger: logger)
        let methods = HostMethods(session: session, store: store, history: history, logger: logger)
        let deviceMethods = DeviceMethods(session)
        control = ControlServer(
            loop: try EventLoop(name: "watchlink-control"), path: settings.controlSocket, logger: logger
        ) { method, params, respond in
            deviceMethods.answer(method, params, respond) ?? respond(methods.answer(method, params))
        }
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // A database that cannot be used is no reason to stay down: companions keep their quizzes until it can.
        do {
            let count = try store.count()
            logger.log(.databaseOpened, [.path(database), .count(count)])
        } catch {
            logger.log(.databaseUnavailable, [.error(error)])
        }
        session.delegate = delegate
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            control.start(completion)
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        // Stores and answers what has arrived; the answers are written before the goodbye.
        receiver.finish()
        session.shutDown("the host stops") { [control] in control.stop(completion) }
    }
}
