import ControlSocket
import DeviceControl
import EventLog
import Foundation
import LinkTransport
import Metrics
import RecordSync
import WatchKit

/// The companion service, the watch: sends the payloads of its outboxes over a session.
public final class CompanionService: Service {
    private let session: WCSession
    private let delegate = WatchSessionDelegate()
    private let applications: [AppliedOutbox]
    private let history = MessageHistory()
    private let tasks: BackgroundTasks
    private let startup = Startup()
    private let controlLoop: EventLoop
    private let control: ControlServer

    init(_ applications: [RecordApplication], _ settings: ServiceSettings, _ log: ServiceLog) throws {
        let logger = log.logger
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        let applied = applications.map { AppliedOutbox(of: $0, settings, session: .default, logger: logger) }
        self.applications = applied
        tasks = BackgroundTasks(session: session, logger: logger)
        let methods = CompanionMethods(session: session, applications: applied, history: history)
        let serviceMethods = ServiceMethods(log)
        controlLoop = try EventLoop(name: "watchlink-ctl")
        control = ControlServer(loop: controlLoop, path: settings.controlSocket, logger: logger) {
            method, params, respond in
            if let answer = serviceMethods.answer(method, params) { return respond(answer) }
            methods.answer(method, params, respond)
        }
        ProcessMetrics.register(session.simulator, in: .process)
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        for application in applications {
            do throws(StoreError) {
                _ = try application.outbox.counts()
            } catch {
                // A lost outbox must not be replaced by a new one: the lost one holds accepted payloads. An outbox that
                // is unavailable for now is retried.
                guard error.kind != .displaced else { return completion(error) }
            }
        }
        session.delegate = delegate
        // The launch is the first background task: it ends when the session is active and has nothing to deliver.
        WKExtension.shared().delegate = tasks
        tasks.handle([WKWatchConnectivityRefreshBackgroundTask {}])
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            control.start { [applications] error in
                if let error { return completion(error) }
                let opening = DispatchGroup()
                for application in applications {
                    opening.enter()
                    application.outbox.start { opening.leave() }
                }
                opening.notify(queue: .main) { completion(nil) }
            }
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        for application in applications { application.outbox.finish() }
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
