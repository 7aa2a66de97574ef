import ControlSocket
import DeviceControl
import EventLog
import Foundation
import LinkTransport
import Locking
import Metrics
import QuizSync
import RecordStorage
import Storage
import WatchKit

/// The host service, the phone: stores the quizzes of its session in the database.
public final class HostService: Service {
    private let session: WCSession
    private let delegate: WatchSessionDelegate
    private let store: ObservedQuizStore
    private let maintenance: SQLiteRecordStore
    private let receiver: QuizReceiver
    private let keeper: RetentionService
    private let history = MessageHistory()
    private let startup = Startup()
    private let controlLoop: EventLoop
    private let control: ControlServer
    private let logger: Logger
    private let database: String

    init(_ settings: ServiceSettings, _ log: ServiceLog) throws {
        logger = log.logger
        database = settings.database
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        maintenance = try SQLiteRecordStore(kind: .quizzes, path: settings.database, logger: logger)
        store = ObservedQuizStore(maintenance)
        let usage = UsageRecorder(isOn: settings.countsUsage)
        receiver = QuizReceiver(store: store, logger: logger, usage: usage)
        delegate = WatchSessionDelegate(receiver: receiver)
        keeper = RetentionService(
            store: store, maintenance: maintenance, retention: settings.retention, logger: logger)
        let methods = HostMethods(
            session: session, quizzes: QuizMethods(store: store, maintenance: maintenance, logger: logger),
            store: store, maintenance: maintenance, keeper: keeper,
            history: history, usage: usage)
        let deviceMethods = DeviceMethods(session.simulator)
        let serviceMethods = ServiceMethods(log)
        controlLoop = try EventLoop(name: "watchlink-ctl")
        control = ControlServer(loop: controlLoop, path: settings.controlSocket, logger: logger) {
            method, params, respond in
            if let answer = serviceMethods.answer(method, params) { return respond(answer) }
            deviceMethods.answer(method, params, respond) ?? respond(methods.answer(method, params))
        }
        ProcessMetrics.register(session.simulator, in: .process)
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // An unavailable database does not prevent the start: companions keep their quizzes until it recovers.
        do throws(StoreError) {
            let count = try store.count()
            logger.log(.databaseOpened, [.path(database), .count(count)])
        } catch {
            // A lost database does: accepted quizzes must be found, not replaced by an empty database.
            guard error.kind != .displaced else { return completion(error) }
        }
        session.delegate = delegate
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            keeper.start()
            control.start(completion)
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        // Stores and answers the quizzes that arrived; the answers are written before the goodbye.
        receiver.finish()
        session.shutDown("the host stops") { [control, maintenance] in
            maintenance.close()
            control.stop(completion)
        }
    }

    func pulse(_ completion: @escaping @Sendable () -> Void) {
        session.pulse { [controlLoop] in controlLoop.execute(completion) }
    }

    var summary: String {
        let watches = session.connectedDevices.count
        return "serving, \(watches) watch\(watches == 1 ? "" : "es") connected, "
            + "\(session.openReplies + session.outstandingMessages + session.waitingTransfers) in flight"
    }

    func reload(_ settings: ServiceSettings, former: ServiceSettings) {
        if settings.device.condition != former.device.condition {
            session.simulator.condition(settings.device.condition)
        }
        keeper.keep(settings.retention)
    }
}
