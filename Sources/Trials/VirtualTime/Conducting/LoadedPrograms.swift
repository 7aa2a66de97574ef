import CVirtualTime
import Foundation

/// Programs that are loaded and linked, and wait before `main`: a start is a copy, which takes a tenth of the time.
// Proof of `@unchecked Sendable`: the state is used while the lock is held.
final class LoadedPrograms: @unchecked Sendable {
    /// The properties in which copies must not differ: what the loader and the runtime saw before `main`, and the
    /// lengths of the arguments, which are overwritten in their place.
    private struct Key: Hashable {
        let executable: String
        /// The file's number, size and time: a new build is loaded anew.
        let file: [Int]
        let lengths: [Int]
        let variables: [String]
    }

    /// 32: two devices with some builds, and a few lengths of arguments. Further ones are started as usual.
    private static let most = 32
    /// Variables that the loader, glibc or Swift's runtime reads before `main`.
    private static let early = ["LD_", "GLIBC_", "MALLOC_", "SWIFT_"]

    /// The places for variables that a copy has more than the loaded program. 64: three times as many as a world has; for further
    /// ones the environment moves away from the arguments, which a statically linked Swift program then does not find.
    private static let places = 64

    private let lock = NSLock()
    /// Nil for a program that does not serve copies: linked statically, or with threads before `main`.
    private var templates: [Key: ProcessTemplate?] = [:]

    /// Returns the loaded form of a program; nil if it must be started as usual.
    ///
    /// - Parameter limit: The real time in which it must be loaded.
    func template(for program: Program, environment: [String: String], limit: Duration) -> ProcessTemplate? {
        var status = stat()
        guard stat(program.executable, &status) == 0 else { return nil }
        let key = Key(
            executable: program.executable,
            file: [
                Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec,
            ],
            lengths: program.arguments.map(\.utf8.count),
            variables: environment.filter { name, _ in Self.early.contains { name.hasPrefix($0) } }
                .map { "\($0.key)=\($0.value)" }.sorted())
        return lock.withLock {
            if let known = templates[key] { return known }
            guard templates.count < Self.most else { return nil }
            var early = environment.filter { name, _ in !name.hasPrefix("VIRTUAL_TIME_") }
            for place in 0..<Self.places { early["VIRTUAL_TIME_PLACE_\(place)"] = "" }
            var template: ProcessTemplate?
            do throws(ConductorError) {
                template = try ProcessTemplate(loading: program, environment: early, limit: limit)
            } catch {
                // Starting the program as usual fails in the same way, and reports it.
                template = nil
            }
            templates[key] = .some(template)
            return template
        }
    }

    /// Notes that a program does not serve copies.
    func forget(_ template: ProcessTemplate) {
        lock.withLock {
            for (key, known) in templates where known === template { templates[key] = .some(nil) }
        }
    }
}
