import Combine
import Foundation
import Locking
import Testing

@Suite("Isolation")
struct IsolationTests {
    @MainActor private final class Screen {
        var count = 0
        private(set) var subscription: AnyCancellable?

        func observe(_ publisher: some Publisher<Int, Never>) {
            subscription = publisher.sink { [self] in count += $0 }
        }
    }

    @Test("A closure of the main actor that is called on another thread stops the program, as on a device")
    func wrongThread() async {
        await #expect(processExitsWith: .failure) {
            let subject = UncheckedBox(PassthroughSubject<Int, Never>())
            let screen = await Screen()
            await screen.observe(subject.value)
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    subject.value.send(1)
                    continuation.resume()
                }
            }
            withExtendedLifetime(screen) {}
        }
    }

    @Test("receive(on:) the main queue brings values to a closure of the main actor")
    func mainQueue() async {
        await #expect(processExitsWith: .success) {
            let subject = UncheckedBox(PassthroughSubject<Int, Never>())
            let screen = await Screen()
            await screen.observe(subject.value.receive(on: DispatchQueue.main))
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    subject.value.send(1)
                    continuation.resume()
                }
            }
            while await screen.count == 0 { await Task.yield() }
        }
    }
}
