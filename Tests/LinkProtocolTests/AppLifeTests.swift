import Testing

@testable import LinkProtocol

/// Tests of the app's life cycle: every event in every state.
@Suite("App life cycle: every state and event")
struct AppLifeTests {
    typealias State = AppLife.State

    private static func life(_ state: State, isLocked: Bool = false) -> AppLife {
        var device = DeviceState()
        device.application = state == .woken ? .suspended : state.application
        var life = AppLife(device)
        if state == .woken { _ = life.arrived() }
        life.change { $0.isLocked = isLocked }
        return life
    }

    enum Event: String, CaseIterable {
        case entersForeground, entersBackground, isSuspended, isTerminated, arrived, drained, reboots

        func happen(to life: inout AppLife) -> AppLife.Action {
            switch self {
            case .entersForeground: life.enter(.foreground)
            case .entersBackground: life.enter(.background)
            case .isSuspended: life.enter(.suspended)
            case .isTerminated: life.enter(.terminated)
            case .arrived: life.arrived()
            case .drained: life.drained()
            case .reboots: life.reboot()
            }
        }
    }

    private struct Outcome: Equatable {
        let state: State
        let action: AppLife.Action

        init(_ state: State, _ action: AppLife.Action) { (self.state, self.action) = (state, action) }
    }

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        switch (state, event) {
        case (.foreground, .entersForeground): Outcome(.foreground, .nothing)
        case (.foreground, .entersBackground): Outcome(.background, .goOn)
        case (.foreground, .isSuspended): Outcome(.suspended, .suspend)
        case (.foreground, .isTerminated), (.foreground, .reboots): Outcome(.terminated, .end)
        case (.foreground, .arrived), (.foreground, .drained): Outcome(.foreground, .nothing)
        case (.background, .entersForeground): Outcome(.foreground, .goOn)
        case (.background, .entersBackground): Outcome(.background, .nothing)
        case (.background, .isSuspended): Outcome(.suspended, .suspend)
        case (.background, .isTerminated), (.background, .reboots): Outcome(.terminated, .end)
        case (.background, .arrived), (.background, .drained): Outcome(.background, .nothing)
        case (.woken, .entersForeground): Outcome(.foreground, .goOn)
        // An explicit change must persist.
        case (.woken, .entersBackground): Outcome(.background, .nothing)
        case (.woken, .isSuspended), (.woken, .drained): Outcome(.suspended, .suspend)
        case (.woken, .isTerminated), (.woken, .reboots): Outcome(.terminated, .end)
        case (.woken, .arrived): Outcome(.woken, .nothing)
        case (.suspended, .entersForeground): Outcome(.foreground, .resume)
        case (.suspended, .entersBackground): Outcome(.background, .resume)
        case (.suspended, .isSuspended), (.suspended, .drained): Outcome(.suspended, .nothing)
        case (.suspended, .isTerminated), (.suspended, .reboots): Outcome(.terminated, .end)
        case (.suspended, .arrived): Outcome(.woken, .resume)
        case (.terminated, .entersForeground): Outcome(.foreground, .launch)
        case (.terminated, .entersBackground): Outcome(.background, .launch)
        case (.terminated, .isSuspended), (.terminated, .isTerminated): Outcome(.terminated, .nothing)
        case (.terminated, .drained): Outcome(.terminated, .nothing)
        case (.terminated, .arrived): Outcome(.woken, .launch)
        // The phone is locked now, which is a change.
        case (.terminated, .reboots): Outcome(.terminated, .goOn)
        }
    }

    @Test("Each event in each state leads to its next state and action")
    func pairs() {
        for state in State.allCases {
            for event in Event.allCases {
                var life = Self.life(state)
                let action = event.happen(to: &life)
                #expect(Outcome(life.state, action) == Self.outcome(state, event), "\(event) while \(state)")
                #expect(life.device.application == life.state.application, "\(event) while \(state)")
                #expect(life.device.isLocked == (event == .reboots), "\(event) while \(state)")
            }
        }
    }

    @Test("Nothing wakes a locked phone; an app that starts running shows that it was unlocked")
    func locked() {
        for state in State.allCases {
            for event in Event.allCases {
                var life = Self.life(state, isLocked: true)
                let action = event.happen(to: &life)
                let expected = event == .arrived ? Outcome(state, .nothing) : Self.outcome(state, event)
                #expect(Outcome(life.state, action) == expected, "\(event) while \(state)")
                let runs = action != .nothing && life.state.application.isRunning
                #expect(life.device.isLocked == !runs, "\(event) while \(state)")
            }
        }
    }

    @Test("Other changes keep the app's state", arguments: State.allCases)
    func changes(_ state: State) {
        var life = Self.life(state)
        life.change {
            $0.isWristDown = true
            $0.hasWorkout = true
            $0.isAppInstalled = false
        }
        var expected = DeviceState()
        expected.application = state.application
        expected.isWristDown = true
        expected.hasWorkout = true
        expected.isAppInstalled = false
        #expect(life.device == expected)
        #expect(life.state == state)
    }
}
