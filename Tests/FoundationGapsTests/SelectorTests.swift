import FoundationGaps
import Locking
import Testing

@Suite("Methods that notifications and timers call")
struct SelectorTests {
    private let center = NotificationCenter()
    private static let name = Notification.Name("changed")

    private final class Listener: NSObject {
        private(set) var heard: [String] = []

        func changed(_ notification: Notification) { heard.append("changed \(notification.name.rawValue)") }
        func changedOld(_ notification: NSNotification) { heard.append("old \(notification.name.rawValue)") }
        func changedAny(sender: Any) { heard.append("any \(type(of: sender))") }
        func changedOptional(_ text: String?) -> Bool {
            heard.append(text ?? "nil")
            return true
        }
        private func called() { heard.append("called") }
        func fired(_ timer: Timer) { heard.append("fired \(timer.userInfo as? String ?? "-")") }

        static let allMethods = [
            Selector(Listener.changed(_:)), Selector(Listener.changedOld), Selector(Listener.changedAny(sender:)),
            Selector(Listener.changedOptional(_:)), Selector(Listener.called),
        ]
        static var callMethod: Selector { Selector(Listener.called) }
        static var fireMethod: Selector { Selector(Listener.fired(_:)) }
    }

    @Test("A method is called with the notification in any form that it takes, and as often as it was added")
    func methods() {
        let listener = Listener()
        for method in Listener.allMethods {
            center.addObserver(listener, selector: method, name: Self.name, object: nil)
        }
        center.addObserver(listener, selector: Listener.callMethod, name: Self.name, object: nil)
        center.post(name: Self.name, object: nil)
        center.post(name: Notification.Name("other"), object: nil)
        let heard = listener.heard.sorted()
        #expect(heard == ["any Notification", "called", "called", "changed changed", "nil", "old changed"])
    }

    @Test("Names and senders select; without them, all notifications are received")
    func selection() {
        let (listener, sender) = (Listener(), Listener())
        center.addObserver(listener, selector: Selector(Listener.changed(_:)), name: Self.name, object: sender)
        center.post(name: Self.name, object: listener)
        center.post(name: Self.name, object: nil)
        let none = listener.heard
        #expect(none == [])
        center.post(name: Self.name, object: sender)
        let own = listener.heard
        #expect(own == ["changed changed"])
        center.addObserver(sender, selector: Selector(Listener.changed(_:)), name: nil, object: nil)
        center.post(name: Notification.Name("other"), object: nil)
        let all = sender.heard
        #expect(all == ["changed other"])
    }

    @Test("A removed observer hears nothing more: of all notifications, or of those of a name and a sender")
    func removal() {
        let (listener, other) = (Listener(), Listener())
        for name in ["a", "b"] {
            for observer in [listener, other] {
                let (method, name) = (Selector(Listener.changed(_:)), Notification.Name(name))
                center.addObserver(observer, selector: method, name: name, object: nil)
            }
        }
        center.removeObserver(listener, name: Notification.Name("a"), object: nil)
        center.post(name: Notification.Name("a"), object: nil)
        center.post(name: Notification.Name("b"), object: nil)
        let heard = listener.heard
        #expect(heard == ["changed b"])
        NotificationCenter.default.removeObserver(listener)
        center.post(name: Notification.Name("b"), object: nil)
        let again = listener.heard
        #expect(again == ["changed b", "changed b"])
        center.removeObserver(listener)
        center.post(name: Notification.Name("b"), object: nil)
        let last = listener.heard
        #expect(last == again)
        let others = other.heard
        #expect(others == ["changed a", "changed b", "changed b", "changed b"])
    }

    @Test("The token of a closure is removed as before")
    func token() {
        let heard = SharedCount()
        let token = center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in heard.add(1) }
        center.post(name: Self.name, object: nil)
        center.removeObserver(token)
        center.post(name: Self.name, object: nil)
        let count = heard.value
        #expect(count == 1)
    }

    @Test("An observer is not kept alive, and may remove itself as it goes")
    func lifetime() {
        final class Short: NSObject {
            let center: NotificationCenter
            init(_ center: NotificationCenter) {
                self.center = center
                super.init()
                center.addObserver(self, selector: Selector(Short.called), name: nil, object: nil)
            }
            deinit { center.removeObserver(self) }
            func called() {}
        }
        weak var observer: Short?
        do {
            let strong = Short(center)
            observer = strong
        }
        #expect(observer == nil)
        center.post(name: Self.name, object: nil)
    }

    @Test("A timer calls its method, with what it was given, on the current run loop", arguments: [false, true])
    func timers(isScheduled: Bool) {
        let listener = Listener()
        let timer: Timer
        if isScheduled {
            timer = Timer.scheduledTimer(
                timeInterval: 0, target: listener, selector: Listener.fireMethod, userInfo: "info", repeats: false)
        } else {
            timer = Timer(
                timeInterval: 0, target: listener, selector: Listener.fireMethod, userInfo: "info", repeats: false)
            RunLoop.current.add(timer, forMode: .default)
        }
        while timer.isValid, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        let heard = listener.heard
        #expect(heard == ["fired info"])
    }

    @Test("A timer that repeats calls its method until it is invalidated, and then lets its object go")
    func repeatingTimer() {
        final class Counter {
            var count = 0
            func count(_ timer: Timer) {
                count += 1
                if count == 3 { timer.invalidate() }
            }
        }
        weak var gone: Counter?
        do {
            let counter = Counter()
            gone = counter
            let timer = Timer.scheduledTimer(
                timeInterval: 0.001, target: counter, selector: Selector(Counter.count(_:)), userInfo: nil,
                repeats: true)
            while timer.isValid, RunLoop.current.run(mode: .default, before: .distantFuture) {}
            #expect(counter.count == 3)
        }
        #expect(gone == nil)
    }

    @Test("A method of another class or with another parameter ends the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure) {
            final class Other { func changed(_ number: Int) {} }
            let (center, other) = (NotificationCenter(), Other())
            center.addObserver(other, selector: Selector(Other.changed(_:)), name: nil, object: nil)
            center.post(name: Notification.Name("a"), object: nil)
        }
        await #expect(processExitsWith: .failure) {
            final class Other { func changed() {} }
            let (center, other) = (NotificationCenter(), NSObject())
            center.addObserver(other, selector: Selector(Other.changed), name: nil, object: nil)
            center.post(name: Notification.Name("a"), object: nil)
        }
    }
}
