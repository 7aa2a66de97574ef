import CrashPoints
import EventLog
import Files
import Foundation
import RecordStorage
public import WatchConnectivity

/// The files of payloads, which arrive before their payloads.
extension RecordReceiver {
    /// Stores the file of a payload that follows. If that fails, the payload is answered that its file is missing, and its
    /// device sends both again.
    public func received(_ file: WCSessionFile) {
        // Other files are those of an application's own.
        guard let expected = file.metadata?[Payload.digestKey] as? Data else { return }
        application.crashPoints.fileReceived.pass()
        do {
            let content = try PayloadFile.content(of: file.fileURL)
            guard ContentDigest.of(content) == expected else {
                return refuse(expected, "its content is not that with this SHA-256")
            }
            try store.keep(content, at: Date())
            application.crashPoints.fileKept.pass()
            logger.log(application.events.fileKept, [.bytes(content.count), .reason(Self.text(expected))])
        } catch {
            refuse(expected, "\(error)")
        }
    }

    private static func text(_ digest: Data) -> String { "SHA-256 \(digest.hexadecimal)" }

    private func refuse(_ digest: Data, _ reason: String) {
        logger.log(application.events.fileRefused, [.reason("\(Self.text(digest)): \(reason)")])
    }

    /// Returns the files of arrived payloads that are not in the store.
    func missingFiles(of arrived: [ArrivedPayload]) -> Set<Data> {
        let files = Set(arrived.compactMap(\.file))
        guard !files.isEmpty else { return [] }
        do throws(StoreError) {
            return files.subtracting(try store.claim(files, at: Date()))
        } catch {
            // The database has logged the error. Storing the payloads fails, too, and they are answered accordingly.
            return []
        }
    }
}
