package import Configuration
package import ControlSocket
import DeviceShell
import Foundation
import LinkProtocol
import Locking
package import WatchConnectivity

/// The methods of a device's control socket: its state, actions, watches and ledger.
package final class DeviceMethods: Sendable {
    private let device: DeviceSimulator

    package init(_ device: DeviceSimulator) { self.device = device }

    /// Answers a request, possibly later; returns nil if the method is unknown.
    package func answer(
        _ method: String, _ params: JSONValue, _ respond: @escaping ControlServer.Respond
    ) -> Void? {
        do {
            guard let request = try DeviceRequest(method, params) else { return nil }
            answer(request, respond)
        } catch {
            respond(.failure(error))
        }
        return ()
    }

    private func answer(_ request: DeviceRequest, _ respond: @escaping ControlServer.Respond) {
        do {
            switch request {
            case .ledger(let question): try answer(question, respond)
            case .status: respond(.success(DeviceReport(of: device).whole))
            case .watches: respond(.success(WatchesReport.of(device)))
            case .link: respond(.success(try LinkReport.of(device)))
            case .faults: respond(.success(FaultReport.of(device)))
            case .device(let deed):
                device.apply(deed)
                respond(.success(DeviceReport(of: device).whole))
            case .fault(let deed):
                try device.apply(deed)
                respond(.success(FaultReport.of(device)))
            case .condition(let condition, let peer):
                device.condition(condition, for: peer)
                respond(.success(try LinkReport.of(device)))
            case .watch(let deed):
                guard device.configuration?.device.role == .host else { throw PairingError.notHost }
                try device.apply(deed)
                respond(.success(WatchesReport.of(device)))
            case .makePairingCode: respond(.success(["code": .string(try device.makePairingCode())]))
            case .send(let deed, let watch):
                let identifier = try device.send(deed, to: watch)
                respond(.success(identifier.map { ["identifier": .string($0.uuidString)] } ?? .null))
            case .startRecording(let folder, let kept):
                let path = try device.startRecording(RecordingOrder(into: folder, keeping: kept))
                respond(.success(["path": .string(path)]))
            case .stopRecording:
                guard let report = device.stopRecording() else {
                    throw ControlError(ControlError.refused, "the device is not being recorded")
                }
                respond(.success(report.json))
            }
        } catch let error as ControlError {
            respond(.failure(error))
        } catch let error as PairingError {
            respond(.failure(ControlError(ControlError.refused, "\(error)")))
        } catch let error as WCError {
            respond(.failure(ControlError(ControlError.refused, error.localizedDescription)))
        } catch {
            respond(.failure(ControlError(ControlError.unavailable, "\(error)")))
        }
    }

    private func answer(_ question: LedgerQuestion, _ respond: @escaping ControlServer.Respond) throws {
        let token = SharedFlag()
        if question.waits {
            // Registered before reading, so that no change in between is missed.
            device.whenLedgerChanges { [self] in
                guard token.take() else { return }
                // Not on the store's queue, because reading the ledger waits for it.
                DispatchQueue.global().async { [self] in answer(.ledger(question), respond) }
            }
        }
        do {
            let entries = try device.ledger(
                after: question.after, before: question.before, identifier: question.identifier,
                limit: question.limit)
            let found = try LedgerReport.of(entries)
            guard !entries.isEmpty || !question.waits, token.take() else { return }
            respond(.success(found))
        } catch {
            // Only the first of the two answers.
            if token.take() { throw error }
        }
    }
}
