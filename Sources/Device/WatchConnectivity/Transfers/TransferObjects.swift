import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import SessionStorage
import Storage

/// The transfers and contexts that the application can read at any time, from any thread, without waiting for a disk.
final class TransferObjects: Sendable {
    private struct Held: Sendable {
        let object: TransferObject
        var peer: UUID
        let position: Int64
    }

    private struct State {
        var held: [UUID: Held] = [:]
        var sentContexts: [UUID: Data] = [:]
        var receivedContexts: [UUID: Data] = [:]
    }

    /// A property that the application can observe.
    enum Property: Sendable {
        case sentContext, receivedContext, userInfos, files
    }

    private let state = Mutex(State())
    private let observer = Mutex(Observer())

    private struct Observer: Sendable {
        var onChange: @Sendable (Property) -> Void = { _ in }
    }

    /// - Parameter onChange: Called when a property has changed.
    func start(_ onChange: @escaping @Sendable (Property) -> Void) { observer.withLock { $0.onChange = onChange } }

    private func onChange(_ property: Property) { observer.withLock { $0.onChange }(property) }

    /// Loads the contexts and transfers of earlier runs.
    ///
    /// - Returns: The transfers that can still be sent or reported. One with a damaged payload is failed and forgotten.
    func load(
        _ home: DeviceHome, _ logger: Logger, onCancel: @escaping @Sendable (UUID) -> Void
    ) throws(DatabaseError) -> [OutgoingTransfer] {
        let contexts = try home.store.contexts()
        state.withLock { state in
            state.sentContexts = contexts.sent
            state.receivedContexts = contexts.received
        }
        var readable: [OutgoingTransfer] = []
        for transfer in try home.store.outgoing() {
            do throws(WCError) {
                let object = try TransferObject(transfer, onCancel: onCancel)
                add(object, peer: transfer.peer, position: transfer.position)
                readable.append(transfer)
            } catch {
                logger.log(.transferFailed, [.package(transfer.identifier), .error(error)])
                try home.forget(transfer, cause: "the stored transfer is damaged: \(error)")
            }
        }
        return readable
    }

    // MARK: - Contexts

    func sentContext(_ peer: UUID) -> Data? { state.withLock { $0.sentContexts[peer] } }
    func setSentContext(_ payload: Data?, _ peer: UUID) {
        state.withLock { $0.sentContexts[peer] = payload }
        onChange(.sentContext)
    }

    func receivedContext(_ peer: UUID) -> Data? { state.withLock { $0.receivedContexts[peer] } }

    func setReceivedContext(_ payload: Data, _ peer: UUID) {
        state.withLock { $0.receivedContexts[peer] = payload }
        onChange(.receivedContext)
    }

    // MARK: - Transfers

    func add(_ object: TransferObject?, peer: UUID, position: Int64) {
        guard let object else { return }
        state.withLock { state in
            // Only the latest is the complication's current transfer.
            if object.isCurrentComplicationInfo {
                for held in state.held.values where held.peer == peer { held.object.demote() }
            }
            state.held[object.identifier] = Held(object: object, peer: peer, position: position)
        }
        if object.isTransferring { onChange(object.property) }
    }

    func object(_ identifier: UUID) -> TransferObject? { state.withLock { $0.held[identifier]?.object } }

    var count: Int { state.withLock { $0.held.count } }

    /// Marks a transfer as ended; it is kept until the delegate knows.
    func end(_ identifier: UUID) -> TransferObject? {
        let object = object(identifier)
        end(object)
        return object
    }

    func remove(_ identifier: UUID) { end(state.withLock { $0.held.removeValue(forKey: identifier)?.object }) }

    private func end(_ object: TransferObject?) {
        guard let object, object.isTransferring else { return }
        object.end()
        onChange(object.property)
    }

    func adopt(_ peer: UUID) {
        state.withLock { state in
            for (identifier, held) in state.held where held.peer == .unknownPeer { state.held[identifier]?.peer = peer }
            if let context = state.sentContexts.removeValue(forKey: .unknownPeer) { state.sentContexts[peer] = context }
        }
    }

    /// Returns the user info transfers to a counterpart that have not ended, in order.
    func userInfos(_ peer: UUID) -> [WCSessionUserInfoTransfer] {
        outstanding(peer).compactMap { if case .userInfo(let transfer) = $0 { transfer } else { nil } }
            .filter(\.isTransferring)
    }

    func files(_ peer: UUID) -> [WCSessionFileTransfer] {
        outstanding(peer).compactMap { if case .file(let transfer) = $0 { transfer } else { nil } }
            .filter(\.isTransferring)
    }

    private func outstanding(_ peer: UUID) -> [TransferObject] {
        state.withLock { $0.held.values.filter { $0.peer == peer } }.sorted { $0.position < $1.position }
            .map(\.object)
    }
}
