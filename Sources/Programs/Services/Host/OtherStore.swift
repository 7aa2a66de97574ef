import Configuration
import ControlSocket
import EventLog
import Foundation
import PostgreSQLRules
import PostgreSQLStorage
import RecordSync
import Storage

/// The store beside a host's own in a migration: a file or a server that a request names.
struct OtherStore {
    let application: RecordApplication
    /// The place of the host's own store: a path or a URL.
    let own: String
    /// The name of the host in a shared store.
    let host: String
    let logger: Logger

    /// Opens the store at a place.
    ///
    /// - Parameters:
    ///   - place: “url” and possibly “passfile”, or “file”.
    ///   - isSource: True if the store must be there.
    func open(_ place: JSONValue, isSource: Bool) throws -> (store: any RecordStore, name: String) {
        if let url = place["url"]?.string { return try server(url, passfile: place["passfile"]?.string) }
        guard let path = place["file"]?.string, path.hasPrefix("/") else {
            throw ControlError(
                ControlError.invalidParams, "a place must have a “url”, or an absolute path as its “file”")
        }
        guard place["passfile"] == nil else {
            throw ControlError(ControlError.invalidParams, "a “passfile” belongs to a “url”; a file has no password")
        }
        guard path != own else { throw isOwn(path) }
        guard !isSource || FileManager.default.fileExists(atPath: path) else {
            throw ControlError(ControlError.notFound, "\(path) does not exist; name the database that has the records")
        }
        let application = application
        let store = try SQLiteRecordStore(
            kind: application.kind, path: path, logger: logger, values: { application.values(of: $0) })
        return (store, path)
    }

    private func server(_ url: String, passfile: String?) throws -> (store: any RecordStore, name: String) {
        do throws(StoreError) {
            var settings = PostgreSQLSettings(address: try ServerAddress(url), host: host)
            if let passfile {
                let trouble =
                    passfile.hasPrefix("/")
                    ? DatabaseSettings.trouble(withPassfile: passfile) : "must be an absolute path"
                if let trouble { throw StoreError(.refused, "passfile: \(trouble)") }
                settings.passfile = passfile
            }
            guard url != own else { throw StoreError(.refused, isOwn(url).message) }
            return (try SharedStore.store(kind: application.kind, settings: settings), url)
        } catch {
            throw ControlError(ControlError.refused, "\(error)")
        }
    }

    private func isOwn(_ place: String) -> ControlError {
        ControlError(ControlError.refused, "\(place) is the database that the host uses now; name the other one")
    }
}
