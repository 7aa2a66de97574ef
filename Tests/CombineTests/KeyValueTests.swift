import Combine
import Foundation
import KeyValueObservation
import Testing
import WatchConnectivity

@Suite("Publishers of observed properties")
struct KeyValueTests {
    /// An object with one observed property.
    private final class Lamp: NSObject, KeyValueObservable {
        private let observers = ObserverList<Lamp>()
        private(set) var isLit = false

        func turn(_ isLit: Bool) {
            let old = self.isLit
            self.isLit = isLit
            observers.changed(\Lamp.isLit, of: self, from: old, to: isLit)
        }

        func observe<Value>(
            _ keyPath: KeyPath<Lamp, Value>, options: NSKeyValueObservingOptions = [],
            changeHandler: @escaping (Lamp, NSKeyValueObservedChange<Value>) -> Void
        ) -> NSKeyValueObservation {
            observers.add(keyPath, of: self, options: options, handler: changeHandler)
        }
    }

    @Test("The present value comes first, then each change in the call that makes it, until cancelled")
    func values() {
        let lamp = Lamp()
        var seen: [Bool] = []
        let subscription = lamp.publisher(for: \.isLit).sink { seen.append($0) }
        #expect(seen == [false])
        lamp.turn(true)
        #expect(seen == [false, true])
        subscription.cancel()
        lamp.turn(false)
        #expect(seen == [false, true])
    }

    @Test("Without the option for it, the present value is not sent")
    func options() {
        let lamp = Lamp()
        var seen: [Bool] = []
        let subscription = lamp.publisher(for: \.isLit, options: []).sink { seen.append($0) }
        lamp.turn(true)
        #expect(seen == [true])
        subscription.cancel()
    }

    @Test("The latest value waits for demand")
    func demand() {
        let lamp = Lamp()
        let recorder = lamp.publisher(for: \.isLit).map { $0 ? 1 : 0 }.record(.max(1))
        lamp.turn(true)
        lamp.turn(false)
        lamp.turn(true)
        #expect(recorder.events == ["0"])
        recorder.request(.max(2))
        #expect(recorder.events == ["0", "1"])
    }

    @Test("A subscription retains the object until it is cancelled")
    func lifetime() {
        weak var lamp: Lamp?
        var subscription: AnyCancellable?
        do {
            let made = Lamp()
            lamp = made
            subscription = made.publisher(for: \.isLit).sink { _ in }
        }
        #expect(lamp != nil)
        subscription?.cancel()
        subscription = nil
        #expect(lamp == nil)
    }

    @Test("Publishers of one property of one object are equal, and a session and a progress have publishers")
    func equality() {
        let (session, progress) = (WCSession(), Progress(totalUnitCount: 2))
        #expect(session.publisher(for: \.isReachable) == session.publisher(for: \.isReachable))
        #expect(session.publisher(for: \.isReachable) != session.publisher(for: \.isPaired))
        #expect(session.publisher(for: \.isReachable) != WCSession().publisher(for: \.isReachable))
        var seen: [Int64] = []
        progress.publisher(for: \.totalUnitCount).sink { seen.append($0) }.cancel()
        #expect(seen == [2])
    }
}
