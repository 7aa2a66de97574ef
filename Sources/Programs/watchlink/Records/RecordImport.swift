import Configuration
import Foundation
import ServiceRuntime
import Services

/// An import in batches: a large file needs no more memory than a small one. The host stores batches while the next ones are
/// read.
struct RecordImport {
    /// The most requests that wait for their answers. 16: twice as many as the host stores together, so that it always has some.
    private static let underWay = 16

    let application: ApplicationDescription
    /// The name of the file.
    let name: String
    /// Sends the rows of a request.
    let begin: (_ rows: JSONValue) throws -> HostDatabase.Begun
    let progress: ProgressLine

    private(set) var stored: Int64 = 0
    private(set) var present: Int64 = 0
    /// The rows that were answered.
    private var done = 0
    private var batch = RowBatch()
    /// The requests without an answer, in their order.
    private var pending: [(result: HostDatabase.Begun, rows: [Data])] = []

    init(
        _ application: ApplicationDescription, from name: String, progress: ProgressLine,
        begin: @escaping (_ rows: JSONValue) throws -> HostDatabase.Begun
    ) {
        (self.application, self.name, self.progress, self.begin) = (application, name, progress, begin)
    }

    mutating func add(_ row: Data) throws {
        if !batch.fits(row) { try send() }
        batch.append(row)
    }

    /// Sends the last rows, and waits until all are stored.
    mutating func finish() throws {
        try send()
        try settle()
    }

    /// Waits until what was sent is stored.
    mutating func settle() throws { while !pending.isEmpty { try settleFirst() } }

    private mutating func settleFirst() throws {
        let (result, rows) = pending.removeFirst()
        do {
            let outcome = try result()
            stored += outcome["stored"]?.integer ?? 0
            present += outcome["present"]?.integer ?? 0
        } catch let error as CommandError {
            if let place = rows.firstIndex(where: { !Self.isJSON($0) }) {
                throw NotJSON(element: done + place + 1)
            }
            throw CommandError(
                "\(name), \(application.plural) \(done + 1) to \(done + rows.count): \(error.message); \(stored) were imported before",
                error.code)
        }
        done += rows.count
        progress.update(done)
    }

    /// A row that is not JSON; nothing of its batch was stored.
    struct NotJSON: Error, CustomStringConvertible {
        let element: Int
        var description: String { "element \(element) is not JSON" }
    }

    private mutating func send() throws {
        guard !batch.isEmpty else { return }
        if pending.count == Self.underWay { try settleFirst() }
        let rows = batch.rows
        batch = RowBatch()
        pending.append((try begin(RowText.value(RowText.text(of: rows))), rows))
    }

    /// Returns true if a refused row is JSON: only then does the host's reason help.
    private static func isJSON(_ row: Data) -> Bool {
        do {
            _ = try JSONValue(json: row)
            return true
        } catch {
            return false
        }
    }
}
