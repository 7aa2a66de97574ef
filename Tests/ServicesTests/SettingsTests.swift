import Configuration
import Foundation
import Glibc
import LinkProtocol
import ServiceRuntime
import TestSupport
import Testing
import WatchConnectivity

@testable import Services

@Suite("Settings")
struct SettingsTests {
    private let scratch: Scratch
    private var directory: String { scratch.path }

    init() throws { scratch = try Scratch() }

    func settings(_ role: DeviceRole, config: String? = nil) throws -> ServiceSettings {
        var values = ["state-directory": directory]
        values["config"] = config
        return try ServiceSettings(role: role, options: ParsedOptions(values: values, operands: []))
    }

    /// The root of the package, from this file's place in it.
    @Test("The sample configurations are valid and say the defaults", arguments: DeviceRole.allCases)
    func samples(_ role: DeviceRole) throws {
        let plain = try settings(role)
        let sample = try settings(
            role, config: ProjectFiles.root.appending(path: "Config/\(role.rawValue).json5").path(percentEncoded: false)
        )
        #expect(sample.device.times == plain.device.times)
        #expect(sample.device.reconnect == plain.device.reconnect)
        #expect(sample.device.access == plain.device.access)
        #expect(sample.device.companions == plain.device.companions)
        #expect(sample.device.payloads == plain.device.payloads)
        #expect(sample.device.ledgerCapacity == plain.device.ledgerCapacity)
        #expect(sample.device.device == plain.device.device)
        #expect(sample.device.socketPath == plain.device.socketPath)
        #expect(sample.outboxBackoff == plain.outboxBackoff)
        #expect(sample.log == plain.log)
        #expect(sample.controlSocket == plain.controlSocket)
        #expect(sample.database == plain.database)
    }

    @Test("A device's identifier stays the same")
    func identity() throws {
        let host = try settings(.host).device.device.identifier
        let again = try settings(.host).device.device.identifier
        #expect(again == host)
        let companion = try settings(.companion).device.device.identifier
        #expect(companion != host)
        try Data("nonsense".utf8).write(to: URL(filePath: directory + "/host.device"))
        #expect(throws: DeviceIdentity.Unreadable.self) { try settings(.host) }
    }

    @Test(
        "Every setting is in a sample file, and every key of the samples is a setting", arguments: DeviceRole.allCases)
    func catalogue(_ role: DeviceRole) throws {
        let path = ProjectFiles.root.appending(path: "Config/\(role.rawValue).json5").path(percentEncoded: false)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let listing = try settings(role, config: path).listing()
        for setting in listing.dropFirst() {
            let word = setting.key.split(separator: ".").last.map(String.init) ?? ""
            #expect(text.contains(word + ":") || setting.key == "device.identifier", "\(setting.key)")
        }
        // What the sample sets comes from the file, the rest is commented out there.
        let unset = listing.dropFirst().filter { $0.source == .builtIn }.map(\.key)
        let commented = [
            "database.passfile", "database.url", "device.identifier", "link.allowedUsers", "link.pairingCode",
            "log.levels", "record.build", "record.into", "record.keep",
        ]
        #expect(Set(unset).isSubset(of: commented))
    }

    @Test("A value says where it came from: default, file and line, environment, option")
    func sources() throws {
        let file = try scratch.write("host.json5", "{\n  log: {\n    level: \"debug\",\n    format: \"json\" },\n}")
        let options = ParsedOptions(values: ["config": file, "log-format": "text"], operands: [])
        let environment = [StateDirectory.environmentVariable: directory]
        let settings = try ServiceSettings(role: .host, options: options, isDry: true)
        let listing = Dictionary(
            settings.listing(environment: environment).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(listing["log.level"]?.source == .file(path: file, line: 3))
        #expect(listing["log.format"] == Setting("log.format", "text", .option(name: "log-format")))
        #expect(listing["ledger.capacity"] == Setting("ledger.capacity", 50_000, .builtIn))
        #expect(listing["state directory"]?.source == .environment(name: StateDirectory.environmentVariable))
    }

    @Test("A check finds every mistake, not only the first, and makes nothing")
    func mistakes() throws {
        let text = "{ log: { level: \"loud\" }, link: { heartbeat: -1, soket: \"x\" }, payloads: 3 }"
        let file = try scratch.write("bad.json5", text)
        let state = directory + "/never"
        let options = ParsedOptions(values: ["config": file, "state-directory": state], operands: [])
        let found = ServiceSettings.mistakes(role: .host, options: options).map { "\($0)" }
        #expect(found.count == 4, "\(found)")
        for words in [
            "log.level: “loud” must be one of",
            "link.heartbeat: must be a number of seconds from 0.01 to 86400.0, not “-1”",
            "link.soket: is not a setting; did you mean “socket”?", "payloads: must be an object { … }, not “3”",
        ] {
            #expect(found.contains { $0.hasPrefix(file + ":1: ") && $0.contains(words) }, "\(words): \(found)")
        }
        #expect(!FileManager.default.fileExists(atPath: state))
        #expect(
            ServiceSettings.mistakes(
                role: .host, options: ParsedOptions(values: ["state-directory": state], operands: [])
            ).isEmpty)
    }

    @Test(
        "A value of a wrong kind or out of its bounds is told with line, what was given and what is allowed",
        arguments: [
            (
                "link: { helloTimeout: 1e400 }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “1e400”"
            ),
            (
                "link: { helloTimeout: -1e999 }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “-1e999”"
            ),
            (
                "link: { helloTimeout: Infinity }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “Infinity”"
            ),
            (
                "link: { helloTimeout: NaN }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “NaN”"
            ),
            (
                "link: { helloTimeout: null }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “null”"
            ),
            (
                "link: { helloTimeout: [1] }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not a list"
            ),
            (
                "link: { helloTimeout: 'soon' }",
                "link.helloTimeout: must be a number of seconds from 0.01 to 86400.0, not “soon”"
            ),
            (
                "link: { allowedUsers: [1e400] }",
                "link.allowedUsers: must be a list of user identifiers, such as [1000], not a list"
            ),
            ("ledger: { capacity: 1e400 }", "ledger.capacity: must be a whole number from 0 to 10000000, not “1e400”"),
            ("ledger: { capacity: 1.5 }", "ledger.capacity: must be a whole number from 0 to 10000000, not “1.5”"),
            ("usage: { events: 1 }", "usage.events: must be true or false, not “1”"),
            ("device: { name: 5 }", "device.name: must be a string, not “5”"),
            ("payloads: []", "payloads: must be an object { … }, not a list"),
            ("database: { file: '' }", "database.file: must be a path, not an empty string"),
            ("control: { socket: '' }", "control.socket: must be a path, not an empty string"),
            ("link: { socket: '' }", "link.socket: must be a path, not an empty string"),
            ("log: { file: '' }", "log.file: must be a path, not an empty string"),
            ("metrics: { file: '' }", "metrics.file: must be a path, not an empty string"),
        ])
    func values(_ text: String, _ message: String) throws {
        let file = try scratch.write("wrong.json5", "{\n  \(text)\n}")
        let options = ParsedOptions(values: ["config": file, "state-directory": directory + "/s"], operands: [])
        #expect(ServiceSettings.mistakes(role: .host, options: options).map { "\($0)" } == ["\(file):2: \(message)"])
    }

    @Test("The records of a host have one place, and a companion's outbox is a file")
    func places() throws {
        let url = "postgresql://watchlink@db.example.org/records"
        #expect(
            try mistakes("{ database: { passfile: 'pgpass' } }") == [
                "…/f:1: database.passfile: belongs to a “url”; give one, or remove it"
            ])
        #expect(
            try mistakes("{ database: { file: 'a.sqlite', url: '\(url)' } }").first
                == "…/f:1: database.url: is given beside “file”; the records have one place")
        #expect(try mistakes("{ database: { url: '\(url)' } }", .companion).first?.contains("database.url") == true)
    }

    #if PostgreSQL
        @Test("A server is named without a password, and a passfile must be private")
        func server() throws {
            let url = "postgresql://watchlink@db.example.org/records"
            let file = try scratch.write("host.json5", "{ database: { url: '\(url)', passfile: 'pgpass' } }")
            let found = { try mistakes("{ database: { url: '\(url)', passfile: '\(scratch.path("pgpass"))' } }") }
            #expect(try found() == ["…/f:1: database.passfile: …/pgpass: No such file or directory"])
            let passfile = try scratch.write("pgpass", "*:*:*:*:secret")
            #expect(chmod(passfile, 0o640) == 0)
            #expect(
                try found() == [
                    "…/f:1: database.passfile: …/pgpass is open to other users, so libpq ignores it; run: chmod 600 …/pgpass"
                ])
            #expect(chmod(passfile, 0o600) == 0)
            #expect(try found() == [])
            let listing = try settings(.host, config: file).listing()
            let values = Dictionary(uniqueKeysWithValues: listing.map { ($0.key, $0.value) })
            #expect(values["database.url"] == .string(url))
            #expect(values["database.passfile"] == .string(passfile))
            #expect(values["database.file"] == .null)
            let secret = try mistakes("{ database: { url: 'postgresql://watchlink:secret@db/records' } }")
            #expect(secret.first?.contains("watchlink:***@db/records contains a password") == true, "\(secret)")
            #expect(secret.first?.contains("secret") == false, "\(secret)")
            let other = try mistakes("{ database: { url: 'mysql://db/records' } }")
            #expect(other.first?.contains("does not begin with “postgresql://”") == true, "\(other)")
        }
    #else
        @Test("A program without PostgreSQL refuses a server, and says how to build one with it")
        func server() throws {
            let found = try mistakes("{ database: { url: 'postgresql://watchlink@db.example.org/records' } }")
            #expect(
                found == [
                    "…/f:1: database.url: this program was built without PostgreSQL; build it with “swift build --traits PostgreSQL”, which needs libpq-dev"
                ])
        }
    #endif

    @Test("Files that others may read are refused, with what to do")
    func exposures() throws {
        let plain = try settings(.host)
        #expect(plain.exposures.isEmpty)
        #expect(chmod(directory, 0o755) == 0)
        #expect(
            plain.exposures.map(\.description) == [
                "\(directory) has mode 0755, which gives other users access: make it private to its owner: chmod 0711 \(directory)"
            ])
        #expect(chmod(directory, 0o700) == 0)
        try Data().write(to: URL(filePath: directory + "/quizzes.sqlite"))
        #expect(chmod(directory + "/quizzes.sqlite", 0o640) == 0)
        #expect(plain.exposures.map(\.command) == ["chmod 0600 \(directory)/quizzes.sqlite"])
        // Others may pass through the state directory, as they must to an open socket, and through no other.
        #expect(chmod(directory + "/quizzes.sqlite", 0o600) == 0)
        #expect(chmod(directory, 0o711) == 0)
        #expect(plain.exposures.isEmpty)
        let device = directory + "/host"
        try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
        #expect(chmod(device, 0o711) == 0)
        #expect(plain.exposures.map(\.command) == ["chmod 0700 \(device)"])
    }

    @Test("The number that stands for everybody cannot be let in")
    func everybody() throws {
        let file = try scratch.write("host.json5", "{ link: { allowedUsers: [1000, 65534] } }")
        let error = #expect(throws: ConfigurationError.self) { try settings(.host, config: file) }
        let text = String(describing: try #require(error))
        #expect(text.contains("link.allowedUsers: contains 65534, the identifier of all unmapped"))
    }

    private func mistakes(_ text: String, _ role: DeviceRole = .host, state: String? = nil) throws -> [String] {
        let file = try scratch.write("\(UUID().uuidString.prefix(4)).json5", text)
        let options = ParsedOptions(
            values: ["config": file, "state-directory": state ?? directory + "/state"], operands: [])
        return ServiceSettings.mistakes(role: role, options: options)
            .map {
                "\($0)".replacingOccurrences(of: directory, with: "…").replacingOccurrences(
                    of: file.dropFirst(directory.count), with: "/f")
            }
    }

    @Test(
        "Settings that contradict each other are refused; at the limit they are taken",
        arguments: [
            (
                "{ link: { heartbeat: 40 } }",
                "link.heartbeat: heartbeat (40.0 s) must be less than silenceTimeout (35.0 s)"
            ),
            (
                "{ link: { silenceTimeout: 15 } }",
                "link.silenceTimeout: heartbeat (15.0 s) must be less than silenceTimeout (15.0 s)"
            ),
            ("{ link: { silenceTimeout: 15.01 } }", nil),
            (
                "{ link: { firstReconnect: 6 } }",
                "link.firstReconnect: firstReconnect (6.0 s) must be at most longestReconnect (5.0 s)"
            ),
            ("{ link: { firstReconnect: 5 } }", nil),
            (
                "{ outbox: { longestRetry: 0.4 } }",
                "outbox.longestRetry: firstRetry (0.5 s) must be at most longestRetry (0.4 s)"
            ),
        ])
    func contradictions(_ text: String, _ expected: String?) throws {
        let found = try mistakes(text, .companion)
        let wanted = expected.map { ["…/f:1: \($0)"] } ?? []
        #expect(found == wanted)
    }

    @Test(
        "One path for two uses is refused, under whatever name",
        arguments: [
            ("{ log: { file: 'quizzes.sqlite' } }", "log.file", "the database"),
            ("{ log: { file: 'quizzes.sqlite-wal' } }", "log.file", "the database's -wal file"),
            ("{ log: { file: '../state/./quizzes.sqlite' } }", "log.file", "the database"),
            ("{ log: { file: '../alias/quizzes.sqlite' } }", "log.file", "the database"),
            ("{ log: { file: '../hard' } }", "log.file", "the database"),
            ("{ database: { file: 'host.log.2' } }", "database.file", "a rotated log"),
            ("{ link: { socket: 'host.control.sock' } }", "link.socket", "the control socket"),
            ("{ control: { socket: 'link.sock.lock' } }", "control.socket", "the lock of link.socket"),
            ("{ database: { file: 'host/session.sqlite' } }", "database.file", "the session's database"),
            ("{ metrics: { file: 'host.device' } }", "metrics.file", "the device's identifier"),
            ("{ database: { file: '../f.json5' } }", "database.file", "the configuration"),
            ("{ log: { file: 'host' } }", "log.file", "the device's state"),
            ("{ log: { file: '.quizzes.sqlite.mark' } }", "log.file", "the mark of quizzes.sqlite"),
            ("{ log: { file: 'host/.session.sqlite.mark' } }", "log.file", "the mark of session.sqlite"),
            ("{ log: { file: 'companion.device' } }", "log.file", "the other service's file"),
            ("{ database: { file: 'outbox.sqlite' } }", "database.file", "the other service's file"),
        ])
    func sharedPaths(_ text: String, _ key: String, _ other: String) throws {
        let state = directory + "/state"
        try FileManager.default.createDirectory(
            atPath: state + "/host", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(chmod(state, 0o700) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory + "/alias", withDestinationPath: "state")
        try Data().write(to: URL(filePath: state + "/quizzes.sqlite"))
        #expect(chmod(state + "/quizzes.sqlite", 0o600) == 0)
        #expect(link(state + "/quizzes.sqlite", directory + "/hard") == 0)
        let file = try scratch.write("f.json5", text)
        let options = ParsedOptions(values: ["config": file, "state-directory": state], operands: [])
        let found = ServiceSettings.mistakes(role: .host, options: options).map { "\($0)" }
        #expect(
            found.contains {
                $0.hasPrefix("\(file):1: \(key): ") && $0.hasSuffix(" is also \(other); choose a separate path")
            }, "\(found)")
    }

    @Test("The paths of the defaults and of the samples are all different, before the first start and after it")
    func ownPaths() throws {
        for role in DeviceRole.allCases {
            let before = try mistakes("{}", role)
            #expect(before.isEmpty)
            _ = try settings(role)
            let after = try mistakes("{}", role, state: directory)
            #expect(after.isEmpty)
        }
    }

    @Test("A log must be a regular text file in a directory that is there")
    func logFile() throws {
        func found(_ path: String) throws -> [String] { try mistakes("{ log: { file: '\(path)' } }") }
        let absent = try found("\(directory)/none/host.log")
        #expect(absent == ["…/f:1: log.file: …/none/host.log cannot be written: …/none: No such file or directory"])
        let text = try scratch.write("text", "a line\n")
        #expect(chmod(text, 0o600) == 0)
        let none = try found("\(directory)/text")
        #expect(none == [])
        let belowText = try found("\(directory)/text/host.log")
        #expect(belowText == ["…/f:1: log.file: …/text/host.log cannot be written: …/text is not a directory"])
        let binary = try scratch.write("database", "SQLite format 3\0 and more")
        #expect(chmod(binary, 0o600) == 0)
        let database = try found("\(directory)/database")
        #expect(database == ["…/f:1: log.file: …/database is a binary file, not text; name another file"])
        #expect(mkfifo("\(directory)/fifo", 0o600) == 0)
        let fifo = try found("\(directory)/fifo")
        #expect(fifo == ["…/fifo is not a regular file: use another path in the configuration"])
    }

    @Test("A socket's path may have 107 bytes, wherever it comes from")
    func socketPaths() throws {
        let exact = directory + "/" + String(repeating: "s", count: 106 - directory.utf8.count)
        let none = try mistakes("{ link: { socket: '\(exact)' } }")
        #expect(none == [])
        let found = try mistakes("{ link: { socket: '\(exact)s' } }")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("…/f:1: link.socket: ") == true, "\(found)")
        #expect(found.first?.contains("has 108 bytes; a socket's path may have at most 107") == true, "\(found)")
        let inLongState = try mistakes("{}", state: directory + "/" + String(repeating: "d", count: 90))
        #expect(inLongState.count == 2, "\(inLongState)")
    }

    @Test("A state directory that cannot be made, or is a file, is refused before the start")
    func stateDirectory() throws {
        let file = try scratch.write("file", "")
        let found = try mistakes("{}", state: file + "/state")
        #expect(found == ["…/file/state cannot be used: …/file is not a directory; choose another --state-directory"])
    }

    @Test("What belongs to another user is refused, also a link of theirs, also for root")
    func foreign() throws {
        let own = geteuid()
        let found = PrivateDirectory.exposures(passable: [], directories: [directory], files: [], owner: own + 1)
        #expect(found.map(\.reason) == ["belongs to user \(own), not to user \(own + 1)"])
        #expect(PrivateDirectory.exposures(passable: [], directories: [directory], files: []).isEmpty)
    }

    @Test("A directory that others can put another in place of is refused; the sticky bit prevents it")
    func replaceable() throws {
        let state = directory + "/parent/state"
        try PrivateDirectory.create(state)
        for (mode, isRefused) in [(0o700, false), (0o755, false), (0o777, true), (0o1777, false), (0o775, false)] {
            #expect(chmod(directory + "/parent", mode_t(mode)) == 0)
            let found = PrivateDirectory.exposures(passable: [], directories: [state], files: [])
            #expect(found.isEmpty != isRefused, "0\(String(mode, radix: 8)): \(found)")
        }
    }

    @Test("As root, another user's directory is refused by --check's own words", .enabled(if: geteuid() == 0))
    func foreignForRoot() throws {
        let state = directory + "/state"
        try PrivateDirectory.create(state)
        #expect(chown(state, 12_345, 12_345) == 0)
        let found = try mistakes("{}")
        #expect(
            found == ["…/state belongs to user 12345, not to user 0: run as that user, or use a directory of your own"])
        #expect(throws: PrivateDirectory.Exposed.self) { try PrivateDirectory.create(state) }
        #expect(chown(state, 0, 0) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory + "/link", withDestinationPath: state)
        #expect(lchown(directory + "/link", 12_345, 12_345) == 0)
        let linked = try mistakes("{}", state: directory + "/link")
        #expect(linked.contains("…/link is a symbolic link of user 12345: use a directory of your own"))
    }
}
