import ControlSocket
import DeviceControl
import EventLog
import Foundation
import LinkTransport
import Metrics
import RecordSync
import WatchKit

/// The host service, the phone: stores the payloads of its session in the databases of their applications.
public final class HostService: Service {
    private let session: WCSession
    private let delegate: WatchSessionDelegate
    private let applications: [HostedRecords]
    private let receivers: ApplicationReceivers
    private let history = MessageHistory()
    private let startup = Startup()
    private let controlLoop: EventLoop
    private let control: ControlServer

    init(_ applications: [RecordApplication], _ settings: ServiceSettings, _ log: ServiceLog) throws {
        let logger = log.logger
        var device = settings.device
        device.logger = logger
        WCSession.defaultConfiguration = device
        session = .default
        let hosted = try applications.map { try HostedRecords(of: $0, settings, logger: logger) }
        self.applications = hosted
        receivers = ApplicationReceivers(hosted.map(\.receiver))
        delegate = WatchSessionDelegate(receiver: receivers)
        let methods = HostMethods(session: session, applications: hosted, history: history)
        let deviceMethods = DeviceMethods(session.simulator)
        let serviceMethods = ServiceMethods(log)
        controlLoop = try EventLoop(name: "watchlink-ctl")
        control = ControlServer(loop: controlLoop, path: settings.controlSocket, logger: logger) {
            method, params, respond in
            if let answer = serviceMethods.answer(method, params) { return respond(answer) }
            deviceMethods.answer(method, params, respond) ?? methods.answer(method, params, respond)
        }
        ProcessMetrics.register(session.simulator, in: .process)
    }

    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // An unavailable database does not prevent the start: companions keep their payloads until it recovers.
        for application in applications {
            do throws(StoreError) {
                try application.open()
            } catch {
                // A lost database does: accepted payloads must be found, not replaced by an empty database.
                guard error.kind != .displaced else { return completion(error) }
            }
        }
        session.delegate = delegate
        startup.whenActivated { [self] error in
            if let error { return completion(error) }
            for application in applications { application.start() }
            control.start(completion)
        }
        session.activate()
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        // Stores and answers the payloads that arrived; the answers are written before the goodbye.
        receivers.finish()
        session.shutDown("the host stops") { [control, applications] in
            for application in applications { application.close() }
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
        for application in applications { application.keep(settings.retention) }
    }
}
