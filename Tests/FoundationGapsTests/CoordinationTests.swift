import Dispatch
import TestSupport
import Testing

@testable import FoundationGaps

@Suite("Coordination of files")
struct CoordinationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var home: String { scratch.path("home") }
    private var file: URL { URL(filePath: scratch.path("file")) }

    /// Starts a closure on another thread, and returns when it is about to call the coordinator.
    private func start(_ body: @escaping @Sendable () -> Void) {
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            isStarted.signal()
            body()
        }
        isStarted.wait()
    }

    @Test("A writer waits for a reader and for another writer", arguments: [WaitingFileLock.Kind.shared, .exclusive])
    func writer(_ kind: WaitingFileLock.Kind) {
        let order = Collector<String>()
        let (home, file) = (home, file)
        ItemClaims(home: home).during([ItemClaim(file, kind)], nil) { _ in
            start {
                ItemClaims(home: home).during([ItemClaim(file, .exclusive)], nil) { _ in order.add("second") }
            }
            // A writer that does not wait has the time to be first.
            Thread.sleep(forTimeInterval: 0.1)
            order.add("first")
        }
        order.expect { $0 == ["first", "second"] }
    }

    @Test("A reader waits for a writer, but not for another reader")
    func reader() {
        let order = Collector<String>()
        let (home, file) = (home, file)
        ItemClaims(home: home).during([ItemClaim(file, .shared)], nil) { _ in
            start { ItemClaims(home: home).during([ItemClaim(file, .shared)], nil) { _ in order.add("reader") } }
            order.expect { $0 == ["reader"] }
        }
        ItemClaims(home: home).during([ItemClaim(file, .exclusive)], nil) { _ in
            start { ItemClaims(home: home).during([ItemClaim(file, .shared)], nil) { _ in order.add("late") } }
            Thread.sleep(forTimeInterval: 0.1)
            order.add("writer")
        }
        order.expect { $0 == ["reader", "writer", "late"] }
    }

    @Test("A coordinator does not wait for itself")
    func nested() {
        let claims = ItemClaims(home: home)
        var calls: [String] = []
        claims.during([ItemClaim(file, .shared)], nil) { _ in
            claims.during([ItemClaim(file, .exclusive)], nil) { _ in
                claims.during([ItemClaim(file, .exclusive), ItemClaim(file, .shared)], nil) { _ in calls.append("all") }
            }
        }
        #expect(calls == ["all"])
    }

    @Test("An item may be named twice, and by a symbolic link")
    func names() throws {
        try Data().write(to: file)
        let link = URL(filePath: scratch.path("link"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        var urls: [URL] = []
        ItemClaims(home: home).during([ItemClaim(link, .shared), ItemClaim(file, .exclusive)], nil) { urls = $0 }
        #expect(urls == [link, file])
        #expect(ItemClaim(link, .shared).path == ItemClaim(file, .shared).path)
    }

    @Test("Without a place for its locks, the closure is not called, and the error says why")
    func failure() throws {
        try Data().write(to: URL(filePath: home))
        var error: NSError?
        var isCalled = false
        ItemClaims(home: home).during([ItemClaim(file, .shared)], &error) { _ in isCalled = true }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(!isCalled)
    }

    @Test("The public methods give the items' places to the closure, and write no error")
    func methods() throws {
        let coordinator = NSFileCoordinator(home: home)
        let (one, two) = (file, URL(filePath: scratch.path("other")))
        var seen: [String] = []
        var error: NSError?
        coordinator.coordinate(readingItemAt: one, options: .withoutChanges, error: &error) {
            seen.append("r" + $0.lastPathComponent)
        }
        coordinator.coordinate(writingItemAt: one, options: [.forReplacing, .forMerging], error: nil) {
            seen.append("w" + $0.lastPathComponent)
        }
        coordinator.coordinate(readingItemAt: one, writingItemAt: two, error: &error) {
            seen.append("rw" + $0.lastPathComponent + $1.lastPathComponent)
        }
        coordinator.coordinate(writingItemAt: two, writingItemAt: one, error: &error) {
            seen.append("ww" + $0.lastPathComponent + $1.lastPathComponent)
        }
        #expect(seen == ["rfile", "wfile", "rwfileother", "wwotherfile"])
        #expect(error == nil)
    }
}
