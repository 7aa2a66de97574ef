import Foundation
package import LinkProtocol
package import ServiceRuntime
import Trials
import Words

/// A device given on the command line: its program and the builds that replace it.
package struct SceneDevice: Sendable {
    /// A program with its arguments.
    package struct Build: Equatable, Sendable {
        /// The absolute path.
        package let program: String
        package let arguments: [String]
    }

    /// A build that replaces the one before it.
    package struct Upgrade: Equatable, Sendable {
        /// The time at which the previous build is stopped, if the command line gives one.
        package let time: Duration?
        package let build: Build
    }

    /// “phone”, “watch”, “watch2” …
    package let name: String
    package let role: DeviceRole
    package let build: Build
    package private(set) var upgrades: [Upgrade] = []

    /// The time between stopping a build and starting the next one. 10 s: the duration of an installation on a device.
    package static let installation: Duration = .seconds(10)

    /// Returns the devices of a command line.
    ///
    /// - Parameter watches: The required number of watches, all of which may share one program; nil for one per
    ///   program.
    package static func all(_ options: ParsedOptions, watches: Int? = nil) throws(UsageError) -> [SceneDevice] {
        guard let phone = options["phone"] else { throw UsageError("--phone PROGRAM is missing") }
        var texts = options.all("watch")
        guard !texts.isEmpty else { throw UsageError("--watch PROGRAM is missing") }
        if let watches, texts.count == 1 { texts = Array(repeating: texts[0], count: watches) }
        guard texts.count <= Scenario.mostWatches else {
            throw UsageError("--watch is given \(texts.count) times; give it 1 to \(Scenario.mostWatches) times")
        }
        guard texts.count == watches ?? texts.count else {
            throw UsageError(
                "--watch is given \(texts.count) times; give it once, for all watches, or \(watches ?? 1) times")
        }
        let names = Scenario.names(watches: texts.count)
        var devices = [SceneDevice(name: names[0], role: .host, build: try Build(phone, of: "--phone"))]
        for (name, text) in zip(names.dropFirst(), texts) {
            devices.append(SceneDevice(name: name, role: .companion, build: try Build(text, of: "--watch")))
        }
        for text in options.all("upgrade") { try add(upgrade: text, to: &devices, isTimed: watches == nil) }
        return devices
    }

    /// Adds the upgrade that a text describes.
    ///
    /// - Parameters:
    ///   - text: “watch@2h=PROGRAM”, or “watch=PROGRAM” if a scenario determines the time.
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
                    ? "--upgrade \(text): it must have the form watch@2h=PROGRAM, with one of \(names) and a virtual time"
                    : "--upgrade \(text): it must have the form watch=PROGRAM, with one of \(names); the scenario says when"
            )
        }
        let last = devices[index].upgrades.last?.time
        if let time, time <= (last.map { $0 + installation } ?? .zero) {
            throw UsageError(
                "--upgrade \(text): it must be later than \(last.map { $0 + installation } ?? .zero), "
                    + "when the previous build is installed")
        }
        let build = try Build(String(command), of: "--upgrade \(head)")
        devices[index].upgrades.append(Upgrade(time: time, build: build))
    }
}

extension SceneDevice.Build {
    /// Parses a program with its arguments.
    ///
    /// - Parameters:
    ///   - text: The program and its arguments, quoted as in a shell.
    ///   - option: The option that gave it, for errors.
    package init(_ text: String, of option: String) throws(UsageError) {
        let words: [String]
        do throws(ShellText.Unfinished) {
            words = try ShellText.words(text)
        } catch {
            throw UsageError("\(option) “\(text)”: \(error)")
        }
        guard let program = words.first, !program.isEmpty else {
            throw UsageError("\(option) “\(text)”: the program is missing")
        }
        let path = URL(filePath: program).standardizedFileURL.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw UsageError("\(option) \(program): \(path) is not an executable file")
        }
        self.init(program: path, arguments: Array(words.dropFirst()))
    }
}
