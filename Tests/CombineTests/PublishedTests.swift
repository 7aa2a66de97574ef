import Combine
import Foundation
import Testing

@Suite("Observable objects")
struct PublishedTests {
    final class Model: NSObject, ObservableObject {
        @Published var count = 0
        @Published private(set) var name: String?
        var plain = 0

        override init() {
            super.init()
            name = "first"
        }

        func rename(_ name: String) { self.name = name }
    }

    final class Plain: ObservableObject {}

    final class Derived: ObservableObject {
        @Published var list: [Int]
        init(_ list: [Int]) { self.list = list }
    }

    class Base: ObservableObject { @Published var first = 1 }
    final class Child: Base { @Published var second = 2 }

    final class Manual: ObservableObject {
        let objectWillChange = ObservableObjectPublisher()
        @Published var count = 0
    }

    final class Own: ObservableObject {
        let objectWillChange = PassthroughSubject<String, Never>()
    }

    @MainActor final class Screen: ObservableObject {
        @Published var title = "a"
        private var cancellables: Set<AnyCancellable> = []
        var titles: [String] = []
        func observe() { $title.sink { [weak self] in self?.titles.append($0) }.store(in: &cancellables) }
    }

    @Test("A property's publisher sends the current value, then each value before the property has it")
    func willSet() {
        let model = Model()
        var seen: [String] = []
        let subscription = model.$count.sink { seen.append("\($0) while \(model.count)") }
        model.count = 1
        model.count += 1
        #expect(seen == ["0 while 0", "1 while 0", "2 while 1"])
        subscription.cancel()
        model.count = 9
        #expect(seen.count == 3)
    }

    @Test("The object's publisher sends before the property's, and before the property has the value")
    func order() {
        let model = Model()
        var seen: [String] = []
        let values = model.$count.dropFirst().sink { seen.append("value \($0) while \(model.count)") }
        let changes = model.objectWillChange.sink { seen.append("change while \(model.count)") }
        model.count = 1
        #expect(seen == ["change while 0", "value 1 while 0"])
        withExtendedLifetime((values, changes)) {}
    }

    @Test("Every change of a published property is told once, whoever makes it; others are not")
    func changes() {
        let model = Model()
        var count = 0
        let subscription = model.objectWillChange.sink { count += 1 }
        model.count = 1
        model.rename("second")
        model.plain = 5
        #expect(count == 2)
        #expect(model.name == "second")
        subscription.cancel()
    }

    @Test("Setting the same value is a change, too")
    func same() {
        let model = Model()
        var count = 0
        let subscription = model.objectWillChange.sink { count += 1 }
        model.count = 0
        #expect(count == 1)
        subscription.cancel()
    }

    @Test("Changing a collection in place is one change")
    func inPlace() {
        let model = Derived([1])
        let recorder = model.$list.record()
        model.list.append(2)
        #expect(recorder.events == ["[1]", "[1, 2]"])
        #expect(model.list == [1, 2])
    }

    @Test("Properties of a class and of its superclass share the object's publisher")
    func inheritance() {
        let child = Child()
        var count = 0
        let subscription = child.objectWillChange.sink { count += 1 }
        child.first = 5
        child.second = 6
        #expect(count == 2)
        subscription.cancel()
    }

    @Test("An object has one publisher as long as it lives, and another object never has the same")
    func identity() {
        let model = Model()
        #expect(model.objectWillChange === model.objectWillChange)
        let other = Model()
        #expect(model.objectWillChange !== other.objectWillChange)
        var publishers: [ObjectIdentifier: Int] = [:]
        var kept: [ObservableObjectPublisher] = []
        for _ in 0..<500 {
            // Without a published property, nothing but the identity of the object tells that it is another one.
            let publisher = Plain().objectWillChange
            kept.append(publisher)
            publishers[ObjectIdentifier(publisher), default: 0] += 1
        }
        #expect(publishers.count == 500)
    }

    @Test("The publisher of a released object is released, with its subscribers")
    func released() {
        weak var publisher: ObservableObjectPublisher?
        do {
            let model = Model()
            model.count = 3
            publisher = model.objectWillChange
            #expect(publisher != nil)
        }
        #expect(publisher == nil)
    }

    @Test("A class with a publisher of its own sends itself")
    func manual() {
        let object = Manual()
        var count = 0
        let subscription = object.objectWillChange.sink { count += 1 }
        object.count = 1
        #expect(count == 0)
        object.objectWillChange.send()
        #expect(count == 1)
        subscription.cancel()
    }

    @Test("The type of the publisher may be another")
    func own() {
        let object = Own()
        let recorder = object.objectWillChange.record()
        object.objectWillChange.send("why")
        #expect(recorder.events == ["why"])
    }

    @Test("Assigning to a published property sets it, and tells the object's change")
    func assign() {
        let model = Model()
        var changes = 0
        let subscription = model.objectWillChange.sink { changes += 1 }
        let subject = PassthroughSubject<Int, Never>()
        subject.assign(to: &model.$count)
        subject.send(7)
        #expect(model.count == 7)
        #expect(changes == 1)
        subscription.cancel()
    }

    @Test("Assigning to a published property does not keep the object, and ends with it")
    func assignedLifetime() {
        let source = Source<Int, Never>()
        weak var weakModel: Model?
        do {
            let model = Model()
            weakModel = model
            source.assign(to: &model.$count)
        }
        #expect(weakModel == nil)
        #expect(source.calls == ["request unlimited", "cancel"])
    }

    @Test("Assigning by a key path keeps the object until the end")
    func assignKeyPath() {
        let subject = PassthroughSubject<Int, Never>()
        weak var weakModel: Model?
        var subscription: AnyCancellable?
        do {
            let model = Model()
            weakModel = model
            subscription = subject.assign(to: \.plain, on: model)
        }
        subject.send(4)
        #expect(weakModel?.plain == 4)
        subscription?.cancel()
        #expect(weakModel == nil)
    }

    @Test("A subscriber may set the property that it receives")
    func reentrant() {
        let model = Model()
        var heard: [Int] = []
        let subscription = model.$count.sink { value in
            heard.append(value)
            if value == 1 { model.count = 10 }
        }
        model.count = 1
        #expect(heard == [0, 1, 10])
        // The outer assignment is the last one to store its value.
        #expect(model.count == 1)
        let late = model.$count.record()
        #expect(late.events == ["1"])
        subscription.cancel()
    }

    @Test("Models on the main actor observe themselves")
    @MainActor
    func mainActor() {
        let screen = Screen()
        screen.observe()
        screen.title = "b"
        #expect(screen.titles == ["a", "b"])
    }
}
