import Files
import Foundation
import Locking

/// The items that one coordinator has claimed.
///
/// For each item there is a folder of the same path below the device's caches, and it has the lock: the item itself may be
/// replaced by another one, and need not exist.
final class ItemClaims: Sendable {
    /// The place of the folders in the home directory.
    private static let folder = "Library/Caches/FileCoordination"

    private struct Held {
        let lock: WaitingFileLock
        let kind: WaitingFileLock.Kind
    }

    private let home: String
    private let held = Mutex<[String: Held]>([:])

    init(home: String = NSHomeDirectory()) { self.home = home }

    /// Calls a closure with the items' places as soon as they are free, and frees them afterwards.
    func during(_ claims: [ItemClaim], _ outError: UnsafeMutablePointer<NSError?>?, _ body: ([URL]) -> Void) {
        var needed: [String: WaitingFileLock.Kind] = [:]
        for claim in claims where needed[claim.path] != .exclusive { needed[claim.path] = claim.kind }
        var releases: [() -> Void] = []
        defer { for release in releases.reversed() { release() } }
        do {
            // In one order for all, so that no two wait for each other.
            for (path, kind) in needed.sorted(by: { $0.key < $1.key }) { releases.append(try claim(path, kind)) }
        } catch {
            outError?.pointee = Self.error(error)
            return
        }
        body(claims.map(\.url))
    }

    /// Waits for an item, and returns the closure that frees it.
    private func claim(_ path: String, _ kind: WaitingFileLock.Kind) throws -> () -> Void {
        if let own = held.withLock({ $0[path] }) {
            guard own.kind == .shared, kind == .exclusive else { return {} }
            try own.lock.become(.exclusive)
            // A lock that is not shared again only makes others wait until it is released.
            return { try? own.lock.become(.shared) }
        }
        let folder = home + "/" + Self.folder + path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = try WaitingFileLock(folder, kind)
        held.withLock { $0[path] = Held(lock: lock, kind: kind) }
        return { [held = self] in
            _ = held.held.withLock { $0.removeValue(forKey: path) }
            lock.release()
        }
    }

    private static func error(_ error: any Error) -> NSError {
        guard let system = error as? SystemError else { return error as NSError }
        return NSError(
            domain: NSCocoaErrorDomain, code: CocoaError.Code.fileLocking.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey: "The file cannot be coordinated with other programs: \(system)",
                NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(system.code)),
            ])
    }
}
