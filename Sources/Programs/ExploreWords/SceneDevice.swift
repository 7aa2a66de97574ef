import Foundation
package import LinkProtocol
package import ServiceRuntime
import Trials
import Words

/// A device as a command line names it: its program, and the builds that take that one's place.
package struct SceneDevice: Sendable {
    /// A program, and the words that it is called with.
    package struct Build: Equatable, Sendable {
        /// Absolute.
        package let program: String
        package let arguments: [String]
    }

    /// A build that is installed in the place of the one before it.
    package struct Upgrade: Equatable, Sendable {
        /// When the build before it is ended, if the command line says it.
        package let time: Duration?
        package let build: Build
    }

    /// “phone”, “watch”, “watch2” …
    package let name: String
    package let role: DeviceRole
    package let build: Build
    package private(set) var upgrades: [Upgrade] = []

    /// Between the end of a build and the start of the next one. 10 s: as an installation takes on a device.
    package static let installation: Duration = .seconds(10)

    /// The devices of a command line.
    ///
    /// - Parameter watches: How many there must be, of which one program may serve all; nil for as many as there are programs.
    package static func all(_ options: ParsedOptions, watches: Int? = nil) throws(UsageError) -> [SceneDevice] {
        guard let phone = options["phone"] else { throw UsageError("--phone PROGRAM is needed") }
        var texts = options.all("watch")
        guard !texts.isEmpty else { throw UsageError("--watch PROGRAM is needed") }
        if let watches, texts.count == 1 { texts = Array(repeating: texts[0], count: watches) }
        guard texts.count <= Scenario.mostWatches else {
            throw UsageError("--watch is given \(texts.count) times: it must be one of 1 to \(Scenario.mostWatches)")
        }
        guard texts.count == watches ?? texts.count else {
            throw UsageError(
                "--watch is given \(texts.count) times: it must be once, for all, or \(watches ?? 1) times")
        }
        let names = Scenario.names(watches: texts.count)
        var devices = [SceneDevice(name: names[0], role: .host, build: try Build(phone, of: "--phone"))]
        for (name, text) in zip(names.dropFirst(), texts) {
            devices.append(SceneDevice(name: name, role: .companion, build: try Build(text, of: "--watch")))
        }
        for text in options.all("upgrade") { try add(upgrade: text, to: &devices, isTimed: watches == nil) }
        return devices
    }

    /// - Parameters:
    ///   - text: “watch@2h=PROGRAM”, or “watch=PROGRAM” where something else says when.
    private static func add(
        upgrade text: String, to devices: inout [SceneDevice], isTimed: Bool
    ) throws(UsageError) {
        let (head, command) = (text.prefix { $0 != "=" }, text.drop { $0 != "=" }.dropFirst())
        let (name, span) = (head.prefix { $0 != "@" }, head.drop { $0 != "@" }.dropFirst())
        let time = WordValue.span(String(span))
        guard let index = devices.firstIndex(where: { $0.name == name }), isTimed ? time != nil : head == name else {
            let names = devices.map(\.name).joined(separator: ", ")
            throw UsageError(
                isTimed
                    ? "--upgrade \(text): say it as watch@2h=PROGRAM, with one of \(names), and when, in the world's time"
                    : "--upgrade \(text): say it as watch=PROGRAM, with one of \(names); the scenario says when")
        }
        let last = devices[index].upgrades.last?.time
        if let time, time <= (last.map { $0 + installation } ?? .zero) {
            throw UsageError(
                "--upgrade \(text): it must be later than \(last.map { $0 + installation } ?? .zero), "
                    + "when the build before it is there")
        }
        let build = try Build(String(command), of: "--upgrade \(head)")
        devices[index].upgrades.append(Upgrade(time: time, build: build))
    }
}

extension SceneDevice.Build {
    /// - Parameters:
    ///   - text: The program and its words, quoted as in a shell.
    ///   - option: Where it was said, for what is wrong with it.
    init(_ text: String, of option: String) throws(UsageError) {
        let words: [String]
        do throws(ShellText.Unfinished) {
            words = try ShellText.words(text)
        } catch {
            throw UsageError("\(option) “\(text)”: \(error)")
        }
        guard let program = words.first, !program.isEmpty else {
            throw UsageError("\(option) “\(text)” names no program")
        }
        let path = URL(filePath: program).standardizedFileURL.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw UsageError("\(option) \(program): there is no program at \(path)")
        }
        self.init(program: path, arguments: Array(words.dropFirst()))
    }
}
