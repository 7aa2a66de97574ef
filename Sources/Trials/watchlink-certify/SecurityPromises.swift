import DatabaseServers
import Foundation
import Glibc
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage

/// The promises about passwords and certificates, against a server that demands both.
struct SecurityPromises {
    /// The password of the trial's user, which no error may contain.
    private static let password = "correct-horse-battery"

    private let server: LocalServer
    private let port: UInt16
    private let folder: String
    private let table: FaultTable

    /// Starts a server with a certificate of an authority of its own, which lets in only encrypted connections with a
    /// password.
    init(in scratch: ScratchDirectory) throws {
        port = try Self.freePort()
        server = try LocalServer("secure", in: scratch, networkPort: port)
        folder = "\(scratch.path)/secure-files"
        table = FaultTable("secure", server)
        guard mkdir(folder, 0o711) == 0 else { throw SetUpError(.failure, "mkdir \(folder) failed") }
        try server.initialise()
        for name in ["ca", "other-ca"] { try makeAuthority(name) }
        try makeServerCertificate()
        try write("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n", to: "\(server.data)/pg_hba.conf")
        let settings = "ssl = on\nssl_cert_file = '\(folder)/server.pem'\nssl_key_file = '\(folder)/server.key'\n"
        try write(settings, to: "\(server.data)/postgresql.auto.conf")
        try server.start()
        _ = try server.query("ALTER ROLE watchlink PASSWORD '\(Self.password)'")
    }

    /// True if certificates can be made on this machine.
    static var isPossible: Bool { access("/usr/bin/openssl", X_OK) == 0 }

    func run(_ certification: inout Certification) throws {
        try certification.run(
            "encryption", "with sslmode=verify-full, only the right server's certificate is accepted", encryption)
        try certification.run(
            "passfile", "a password comes from a private passfile, and is in no error", passfile)
        try server.end(by: SIGQUIT)
    }

    // MARK: - Promises

    private func encryption() throws {
        let passfile = try writePassfile(Self.password, mode: 0o600)
        let report = try probe(authority: "ca", passfile: passfile)
        guard report.isEncrypted else { throw FaultFailure("the connection is not encrypted: \(report)") }
        let store = try SharedStore.store(
            kind: table.kind, settings: settings(url(authority: "ca"), passfile: passfile))
        _ = try FaultTable.insert(1, into: store)
        store.close()
        try table.expect(3)
        try expectRefusal("certificate verify failed") { try probe(authority: "other-ca", passfile: passfile) }
        try expectRefusal("root certificate file") { try probe(authority: "missing", passfile: passfile) }
        try expectRefusal("does not match host name") {
            try probe(authority: "ca", host: "db.example.org", passfile: passfile)
        }
        try expectRefusal("no pg_hba.conf entry") {
            try SharedStore.probe(
                table.kind, settings: settings(url(mode: "disable", authority: "ca"), passfile: passfile))
        }
    }

    private func passfile() throws {
        try expectRefusal("password authentication failed") {
            try probe(authority: "ca", passfile: try writePassfile("\(Self.password)-not", mode: 0o600))
        }
        // libpq ignores a file that others can read.
        try expectRefusal("no password supplied") {
            try probe(authority: "ca", passfile: try writePassfile(Self.password, mode: 0o644))
        }
        try expectRefusal("no password supplied") { try probe(authority: "ca", passfile: "\(folder)/no-such-file") }
    }

    private func expectRefusal(_ text: String, _ body: () throws -> ServerReport) throws {
        do {
            let report = try body()
            throw FaultFailure("expected a refusal with “\(text)”, and the server let in: \(report)")
        } catch let error as StoreError {
            guard error.kind == .refused, error.description.contains(text) else {
                throw FaultFailure("expected a refusal with “\(text)”, and \(error.kind) came: \(error)")
            }
            guard !error.description.contains(Self.password) else { throw FaultFailure("a password is in an error") }
        }
    }

    private func probe(authority: String, host: String = "localhost", passfile: String) throws -> ServerReport {
        try SharedStore.probe(
            table.kind, settings: settings(url(authority: authority, host: host), passfile: passfile))
    }

    private func url(mode: String = "verify-full", authority: String, host: String = "localhost") -> String {
        "postgresql://watchlink@\(host):\(port)/postgres?hostaddr=127.0.0.1&sslmode=\(mode)&sslrootcert=\(folder)/\(authority).pem"
    }

    private func settings(_ url: String, passfile: String) throws -> PostgreSQLSettings {
        var settings = try PostgreSQLSettings(address: ServerAddress(url), passfile: passfile, host: "secure")
        settings.patience = .seconds(5)
        return settings
    }

    // MARK: - Files

    private func writePassfile(_ password: String, mode: mode_t) throws -> String {
        let path = "\(folder)/passfile"
        // The name of the server as the URL has it, and any.
        try write("*:*:*:watchlink:\(password)\n", to: path)
        guard chmod(path, mode) == 0 else { throw SetUpError(.failure, "chmod \(path) failed") }
        return path
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func makeAuthority(_ name: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-keyout",
            "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem")
    }

    private func makeServerCertificate() throws {
        let (key, request) = ("\(folder)/server.key", "\(folder)/server.csr")
        try openssl(
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", key, "-out", request)
        try openssl(
            "x509", "-req", "-days", "2", "-in", request, "-CA", "\(folder)/ca.pem", "-CAkey", "\(folder)/ca.key",
            "-CAcreateserial", "-copy_extensions", "copy", "-out", "\(folder)/server.pem")
        guard chmod(key, 0o600) == 0, server.user.map({ chown(key, $0.number, $0.group) == 0 }) ?? true else {
            throw SetUpError(.failure, "the key \(key) could not be given to the server's user")
        }
    }

    private func openssl(_ words: String...) throws { _ = try Command.run(["/usr/bin/openssl"] + words) }

    /// Returns a port that nothing listens on now.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SetUpError(.failure, "no socket: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else { throw SetUpError(.failure, "no port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }
}
