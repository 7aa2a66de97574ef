import ControlSocket
import DeviceControl
import EventLog
import Foundation
import LinkTransport
import Metrics
import QuizSync
import RecordStorage
import WatchKit

/// The companion service, the watch: sends the quizzes of its outbox over a session.
public final class CompanionService: Service {
    private let session: WCSession
    private let delegate = WatchSessionDelegate()
    private let outbox: Outbox
    private let history = MessageHistory()
    private let tasks: BackgroundTasks
    private let startup = Startup()
    private let controlLoop: EventLoop
    private let control: ControlServer

    init(_ settings: ServiceSettings, _ log: ServiceLog) throws {
        let logger = log.logger
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        let store = OutboxStore(path: settings.database, logger: logger)
        outbox = Outbox(
            store: store, session: session, logger: logger,
            backoff: settings.outboxBackoff, usage: UsageRecorder(isOn: settings.countsUsage))
        tasks = BackgroundTasks(session: session, logger: logger)
        let methods = CompanionMethods(session: session, outbox: outbox, store: store, history: history, logger: logger)
        let serviceMethods = ServiceMethods(log)
        controlLoop = try EventLoop(name: "watchlink-ctl")
        control = ControlServer(loop: controlLoop, path: settings.controlSocket, logger: logger) {
            method, params, respond in
            if let answer = serviceMethods.answer(method, params) { return respond(answer) }
            methods.answer(method, params, respond)
        }
        ProcessMetrics.register(session.simulator, in: .process)
        MetricRegistry.process.gauge("watchlink_outbox_quizzes", help: "Quizzes in the outbox, by state.") { [outbox] in
            // An unavailable database is already in the log; then there is no number.
            guard let counts = try? outbox.counts() else { return [] }
            return OutboxEntry.State.allCases.map { ([("state", $0.rawValue)], Double(counts[$0] ?? 0)) }
        }
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        do throws(StoreError) {
            _ = try outbox.counts()
        } catch {
            // A lost outbox must not be replaced by a new one: the lost one holds accepted quizzes. An outbox that is
            // unavailable for now is retried.
            if error.kind == .displaced { return completion(error) }
        }
        session.delegate = delegate
        // The launch is the first background task: it ends when the session is active and has nothing to deliver.
        WKExtension.shared().delegate = tasks
        tasks.handle([WKWatchConnectivityRefreshBackgroundTask {}])
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            control.start { [outbox] error in
                if let error { return completion(error) }
                outbox.start { completion(nil) }
            }
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        outbox.finish()
        session.shutDown("the companion stops") { [control] in control.stop(completion) }
    }

    func pulse(_ completion: @escaping @Sendable () -> Void) {
        session.pulse { [controlLoop] in controlLoop.execute(completion) }
    }

    var summary: String {
        let waiting = session.outstandingMessages + session.openReplies + session.waitingTransfers
        return "\(session.connectedDevices.isEmpty ? "waiting for the host" : "connected"), \(waiting) in flight"
    }

    func reload(_ settings: ServiceSettings, former: ServiceSettings) {
        if settings.device.condition != former.device.condition {
            session.simulator.condition(settings.device.condition)
        }
    }
}
