import Foundation
import Glibc
import Processes

/// PostgreSQL's programs on this machine.
package struct ServerPrograms {
    /// The directory with `initdb`, `postgres` and `psql`.
    package let directory: String

    /// Finds the newest version, as Debian installs it, or the one of the search path.
    package static func find() throws(SetUpError) -> ServerPrograms {
        let versions = "/usr/lib/postgresql"
        let found = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? [])
            .sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }.map { "\(versions)/\($0)/bin" }
        guard
            let directory = (found + ProgramSearch.folders).first(where: { directory in
                ["initdb", "postgres", "psql"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
            })
        else {
            throw SetUpError(
                .notConfigured,
                "PostgreSQL's server is not on this machine: looked for initdb, postgres and psql in \(versions)/*/bin and PATH; install it (Debian: apt-get install postgresql), or name a running server by its URL"
            )
        }
        return ServerPrograms(directory: directory)
    }

    package func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// A user who may run the server; nil if that is the user of this program.
    package static func user() throws(SetUpError) -> ServerUser? {
        guard geteuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) {
                return ServerUser(name: name, number: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
            }
        }
        throw SetUpError(
            .notConfigured,
            "PostgreSQL does not run as root, and there is no user “postgres” or “nobody”; run this program as another user"
        )
    }
}
