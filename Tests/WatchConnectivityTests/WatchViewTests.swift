import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

@Suite("What a phone shows of its watch")
struct WatchViewTests {
    private let directory = DeviceDirectory("/state")

    private func shown(
        _ companion: Companion?, role: DeviceRole = .host, pairing: CompanionPolicy.Pairing = .automatic
    ) -> WatchView {
        var policy = CompanionPolicy()
        policy.pairing = pairing
        let presence = PresenceStateMachine(
            role: role, policy: policy, state: DeviceState(), companions: companion.map { [$0] } ?? [])
        return WatchView(presence, companion, directory)
    }

    private func shown(isPaired: Bool, isAppInstalled: Bool, hasComplication: Bool = false) -> WatchView {
        var companion = Companion(identifier: UUID(), name: "watch")
        companion.isPaired = isPaired
        companion.isAppInstalled = isAppInstalled
        companion.hasComplication = hasComplication
        return shown(companion)
    }

    @Test("The app counts as installed on a paired watch only", arguments: [false, true], [false, true])
    func app(isPaired: Bool, isAppInstalled: Bool) {
        let view = shown(isPaired: isPaired, isAppInstalled: isAppInstalled)
        #expect(view.isPaired == isPaired)
        #expect(view.isAppInstalled == (isPaired && isAppInstalled))
        #expect((view.directory != nil) == (isPaired && isAppInstalled))
    }

    @Test("The complication is enabled if the watch has it", arguments: [false, true])
    func complication(isEnabled: Bool) {
        let view = shown(isPaired: true, isAppInstalled: true, hasComplication: isEnabled)
        #expect(view.isComplicationEnabled == isEnabled)
    }

    @Test("The directory is that of the watch")
    func directoryOfWatch() {
        let companion = Companion(identifier: UUID(), name: "watch")
        let path = shown(companion).directory?.path(percentEncoded: false)
        #expect(path == "/state/watches/\(companion.identifier.uuidString)/")
    }

    @Test("A watch that has not come yet is presumed, with the app, if it would be paired without being asked")
    func presumed() {
        let automatic = shown(nil)
        #expect(automatic.isPaired)
        #expect(automatic.isAppInstalled)
        #expect(!automatic.isComplicationEnabled)
        #expect(automatic.directory == nil)
        let manual = shown(nil, pairing: .manual)
        #expect(manual == WatchView())
    }

    @Test("A watch shows none, even of a watch that it is told of")
    func companion() {
        let view = shown(Companion(identifier: UUID(), name: "watch"), role: .companion)
        #expect(view == WatchView())
        #expect(!view.isPaired)
        #expect(!view.isAppInstalled)
        #expect(!view.isComplicationEnabled)
        #expect(view.directory == nil)
    }

    /// Describes each property that differs, with its old and its new value.
    private func differences(_ former: WatchView, _ present: WatchView) -> [String] {
        let names: [AnyKeyPath: String] = [
            \WCSession.isPaired: "paired", \WCSession.isWatchAppInstalled: "app",
            \WCSession.isComplicationEnabled: "complication", \WCSession.watchDirectoryURL: "directory",
        ]
        func text(_ value: Any) -> String {
            if let flag = value as? Bool { return "\(flag)" }
            return (value as? URL)?.lastPathComponent ?? "none"
        }
        let session = WCSession()
        var told: [String] = []
        former.differences(from: present, of: session) { path, root, old, new in
            told.append("\(names[path] ?? "?") \(text(old)) \(text(new)) \(root === session)")
        }
        return told
    }

    @Test("Each property that differs is told with both values, and no other is")
    func differing() {
        let plain = WatchView()
        #expect(differences(plain, plain) == [])
        var (paired, app, complication, directory) = (plain, plain, plain, plain)
        paired.isPaired = true
        app.isAppInstalled = true
        complication.isComplicationEnabled = true
        directory.directory = URL(filePath: "/state/watches/w")
        #expect(differences(plain, paired) == ["paired false true true"])
        #expect(differences(paired, plain) == ["paired true false true"])
        #expect(differences(plain, app) == ["app false true true"])
        #expect(differences(app, plain) == ["app true false true"])
        #expect(differences(plain, complication) == ["complication false true true"])
        #expect(differences(complication, plain) == ["complication true false true"])
        #expect(differences(plain, directory) == ["directory none w true"])
        #expect(differences(directory, plain) == ["directory w none true"])
        #expect(differences(paired, app) == ["paired true false true", "app false true true"])
    }

    @Test("An application observes its watch's complication and directory")
    func observed() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let (session, watch) = (pair.host.session, pair.companion.identifier)
        let seen = Collector<String>()
        let observations = [
            session.observe(\.isComplicationEnabled, options: [.old, .new]) { _, change in
                seen.add("complication \(change.oldValue ?? false) \(change.newValue ?? false)")
            },
            session.observe(\.watchDirectoryURL, options: [.old, .new]) { _, change in
                let old: URL? = change.oldValue ?? nil
                let new: URL? = change.newValue ?? nil
                seen.add("directory \(old?.lastPathComponent ?? "none") \(new?.lastPathComponent ?? "none")")
            },
        ]
        try session.simulator.setComplicationEnabled(true, on: watch)
        try session.simulator.setAppInstalled(false, on: watch)
        seen.expect {
            $0 == [
                "complication false true", "complication true false", "directory \(watch.uuidString) none",
            ]
        }
        for observation in observations { observation.invalidate() }
    }
}
