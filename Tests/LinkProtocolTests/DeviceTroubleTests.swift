import Foundation
import LinkProtocol
import Testing

@Suite("Trouble of a device")
struct DeviceTroubleTests {
    private typealias Change = (inout DeviceSituation) -> Void
    private static let watch = UUID()

    private static func troubles(_ side: DeviceRole, _ change: Change) -> [DeviceTrouble] {
        var situation = DeviceSituation()
        change(&situation)
        return DeviceTrouble.all(of: side, in: situation)
    }

    private static func companion(isPaired: Bool = true, isAppInstalled: Bool = true) -> Companion {
        var companion = Companion(identifier: watch, name: "w")
        (companion.isPaired, companion.isAppInstalled) = (isPaired, isAppInstalled)
        return companion
    }

    @Test("A device without trouble has none, whatever watches and links it knows", arguments: DeviceRole.allCases)
    func none(_ side: DeviceRole) {
        let troubles = Self.troubles(side) { situation in
            situation.companions = [Self.companion()]
            situation.conditions = [Self.watch: LinkCondition()]
        }
        #expect(troubles == [])
    }

    @Test("Each trouble is listed alone, with the command that ends it; what only slows, or was chosen, is not grave")
    func each() {
        let name = Self.watch.uuidString
        let cases: [(Change, [String], Bool)] = [
            ({ $0.rules = ["drop out reply"] }, ["faults", "host", "clear"], true),
            ({ $0.held = 1 }, ["faults", "host", "release"], true),
            ({ $0.disk = (.full, 0) }, ["faults", "host", "disk", "none"], true),
            ({ $0.reachability = ReachabilityFault(.stale) }, ["faults", "host", "reachability", "right"], true),
            ({ $0.reachability.isSilent = true }, ["faults", "host", "reachability", "right"], true),
            ({ $0.activation.failures = 1 }, ["faults", "host", "clear"], true),
            ({ $0.isLinkUp = false }, ["device", "host", "link-up"], true),
            ({ $0.condition = LinkPreset.outOfRange.condition }, ["link", "host", "condition", "perfect"], true),
            ({ $0.condition = LinkPreset.flapping.condition }, ["link", "host", "condition", "perfect"], true),
            ({ $0.condition.incoming.isStalled = true }, ["link", "host", "condition", "perfect"], true),
            ({ $0.condition.outgoing.cutAfterBytes = 0 }, ["link", "host", "condition", "perfect"], true),
            ({ $0.condition = LinkPreset.wifi.condition }, ["link", "host", "condition", "perfect"], false),
            (
                { $0.conditions = [Self.watch: LinkPreset.wifi.condition] },
                ["link", "host", "condition", "perfect", "--device", name], false
            ),
            (
                { $0.conditions = [Self.watch: LinkPreset.outOfRange.condition] },
                ["link", "host", "condition", "perfect", "--device", name], true
            ),
            ({ $0.own.isAppInstalled = false }, ["device", "host", "install"], true),
            ({ $0.own.isLocked = true }, ["device", "host", "unlock"], true),
            ({ $0.own.application = .background }, ["device", "host", "foreground"], false),
            ({ $0.own.application = .suspended }, ["device", "host", "foreground"], true),
            ({ $0.own.application = .terminated }, ["device", "host", "foreground"], true),
            ({ $0.own.isWristDown = true }, ["device", "host", "wrist-up"], false),
            ({ $0.companions = [Self.companion(isPaired: false)] }, ["watches", "pair", name], true),
            ({ $0.companions = [Self.companion(isAppInstalled: false)] }, ["watches", "install", name], true),
        ]
        for (change, remedy, isGrave) in cases {
            let troubles = Self.troubles(.host, change)
            #expect(troubles.map(\.remedy) == [remedy], "\(troubles)")
            #expect(troubles.map(\.isGrave) == [isGrave], "\(troubles)")
        }
    }

    @Test("A disk that fails later says after how many writes; the commands name the device")
    func texts() {
        let troubles = [0, 1].flatMap { count in
            Self.troubles(.companion) { $0.disk = (.readOnly, count) }
        }
        let beginning = "the disk below the databases fails on demand: read-only"
        #expect(troubles.map(\.text) == [beginning, beginning + " after 1 writes"])
        let remedy = ["faults", "companion", "disk", "none"]
        #expect(troubles.map(\.remedy) == [remedy, remedy])
    }

    @Test("The links to single devices are listed in the order of their identifiers")
    func links() {
        let numbers: [UInt8] = [1, 2, 3, 4, 5]
        let devices = numbers.map { number in
            UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        let troubles = Self.troubles(.host) { situation in
            for device in devices { situation.conditions[device] = LinkPreset.wifi.condition }
            situation.conditions[devices[2]] = LinkCondition()
        }
        let named = troubles.map { $0.remedy.last }
        let expected: [String?] = [0, 1, 3, 4].map { devices[$0].uuidString }
        #expect(named == expected)
    }

    @Test("Faults are listed first, then the link, then what a person did")
    func order() {
        let remedies = Self.troubles(.companion) { situation in
            situation.own.isWristDown = true
            situation.isLinkUp = false
            situation.held = 2
        }.map { $0.remedy.last }
        #expect(remedies == ["release", "link-up", "wrist-up"])
    }
}
