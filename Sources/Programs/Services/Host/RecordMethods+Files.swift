import Configuration
import ControlSocket
import Files
import Foundation
import RecordSync

/// The files of records: exporting, importing and checking them. A client names paths, which this process reads and
/// writes: both belong to the same user.
extension RecordMethods {
    /// Writes the file of a record to a path.
    func writeFile(_ params: JSONValue) throws -> JSONValue {
        guard let path = params["path"]?.string, path.hasPrefix("/") else {
            throw ControlError(ControlError.invalidParams, "“path” must be an absolute path")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ControlError(ControlError.refused, "\(path) already exists; choose another name or remove it")
        }
        let record = try one(params).record
        guard let digest = record.file else {
            throw ControlError(ControlError.notFound, "\(application.kind.name) \(record.key.identifier) has no file")
        }
        let content = try content(of: digest, record)
        try write(content, to: path)
        return [
            "path": .string(path), "bytes": .integer(Int64(content.count)), "sha256": .string(digest.hexadecimal),
        ]
    }

    /// Returns a page of whole records, and writes their files into the directory “files” under their SHA-256.
    func export(_ params: JSONValue) throws -> JSONValue {
        guard let value = params["files"] else { return try page(params, .whole) }
        let directory = try Self.directory(value)
        return try page(params, .whole) { stored in
            if let digest = stored.record.file {
                let path = directory + "/" + digest.hexadecimal
                // Several records may have the same one, and an earlier export may have written it.
                if !FileManager.default.fileExists(atPath: path) {
                    try write(try content(of: digest, stored.record), to: path)
                }
            }
        }
    }

    /// Keeps the files of records to be imported: those that are not here, from a directory that an export wrote.
    func keepFiles(of arrivals: [RecordArrival], from value: JSONValue?) throws {
        let wanted = Set(arrivals.compactMap(\.record.file))
        let directory = try value.map(Self.directory)
        for digest in wanted.subtracting(try store.claim(wanted, at: Date())) {
            guard let directory else {
                throw ControlError(
                    ControlError.refused,
                    "the file \(digest.hexadecimal) is not here: import with --files and the directory to which “\(application.command) export --files” wrote"
                )
            }
            let content = try PayloadFile.content(of: URL(filePath: directory + "/" + digest.hexadecimal))
            guard ContentDigest.of(content) == digest else {
                throw ControlError(
                    ControlError.refused, "\(directory)/\(digest.hexadecimal) has another SHA-256: it was changed")
            }
            try store.keep(content, at: Date())
        }
    }

    /// Checks that a changed payload has the file of the stored one.
    func checkFile(of changed: any RecordPayload, as stored: StoredRecord) throws(PayloadError) {
        guard changed.attachedFile?.digest == stored.record.file else {
            throw .invalid(field: "file", reason: "cannot be changed: give the description that “show” prints")
        }
    }

    /// Returns the problem of a record's file; nil if there is none.
    func problem(ofFileOf record: Record, _ payload: any RecordPayload) throws(StoreError) -> String? {
        guard store.keepsFiles else { return nil }
        guard payload.attachedFile?.digest == record.file else { return "its archive and its file differ" }
        guard let digest = record.file else { return nil }
        guard let content = try store.content(of: digest) else {
            return "its file \(digest.hexadecimal) is missing"
        }
        return ContentDigest.of(content) == digest ? nil : "its file \(digest.hexadecimal) is damaged"
    }

    private func content(of digest: Data, _ record: Record) throws -> Data {
        guard let content = try store.content(of: digest) else {
            throw ControlError(
                ControlError.notFound,
                "the file of \(application.kind.name) \(record.key.identifier) is missing; “watchlink \(application.command) verify” lists all problems"
            )
        }
        return content
    }

    private func write(_ content: Data, to path: String) throws(ControlError) {
        do throws(SystemError) {
            try DurableDirectory(of: path).write(content, to: URL(filePath: path).lastPathComponent)
        } catch {
            throw ControlError(ControlError.refused, "cannot \(error)")
        }
    }

    private static func directory(_ value: JSONValue) throws(ControlError) -> String {
        var isDirectory: ObjCBool = false
        guard let path = value.string, path.hasPrefix("/"),
            FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue
        else {
            throw ControlError(ControlError.invalidParams, "“files” must be the absolute path of a directory")
        }
        return path
    }
}
