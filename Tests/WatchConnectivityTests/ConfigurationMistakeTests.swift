import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Mistakes in the configuration of a device")
struct ConfigurationMistakeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A policy for watches that does not exist is an error that names its key", arguments: ["serving", "pairing"])
    func policy(_ key: String) throws {
        let file = try scratch.write(
            "device.json5", "{ device: { role: \"host\" }, companions: { \(key): \"none\" } }")
        let error = #expect(throws: (any Error).self) { try DeviceConfiguration(file: file) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("companions.\(key): “none” must be one of "), "\(text)")
    }

    @Test("A state directory that is a file is an error, also for a device whose identifier is known")
    func stateIsFile() throws {
        let path = try scratch.write("state", "text")
        let error = #expect(throws: (any Error).self) {
            try DeviceConfiguration(
                role: .companion, socketPath: scratch.path("link"), stateDirectory: path, identifier: UUID())
        }
        let text = error.map { "\($0)" }
        #expect(text == "create \(path): Not a directory")
    }

    @Test("The state directory of a device whose identifier is known is created")
    func stateIsCreated() throws {
        let path = scratch.path("new/state")
        let identifier = UUID()
        let watch = try DeviceConfiguration(
            role: .companion, socketPath: scratch.path("link"), stateDirectory: path, identifier: identifier)
        #expect(watch.device == Device(identifier: identifier, role: .companion, name: "Watch"))
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names == [])
    }

    @Test("An identifier that cannot be stored is an error, since the next start would choose another one")
    func identifierIsNotStored() {
        let error = #expect(throws: (any Error).self) {
            try DeviceIdentity.identifier(at: scratch.path("missing/device"))
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("No such file or directory"), "\(text)")
    }

    @Test("What a device of the environment logs is kept for the command line, from its level on")
    func log() throws {
        let environment = [
            "WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": scratch.path("link"), "WATCHLINK_LOG_LEVEL": "error",
        ]
        let made = try DeviceConfiguration(environment: environment)
        let phone = try #require(made)
        let recent = try #require(phone.recent)
        let events: [LogEvent] = [.hint, .sessionActivationFailed, .applicationStateChanged]
        for event in events { phone.logger.log(event) }
        let kept = recent.after(0).records.map(\.event.text)
        #expect(kept == ["session activation failed"])
    }
}
