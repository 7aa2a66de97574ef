import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

/// A delegate that belongs to nobody, as the device calls it.
private final class FreeDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
}

/// A delegate that belongs to the main actor together with its conformance.
@MainActor
private final class MainDelegate: NSObject, @MainActor WCSessionDelegate {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
}

@Suite("Calls and conformances as the program has them")
struct CallStackTests {
    /// The file name of the running program.
    private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().lastPathComponent

    private func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    @Test("The innermost call is the program's, and each file of the program is listed once")
    func here() throws {
        let stack = CallStack.here
        let first = try #require(stack.calls.first)
        let file = try #require(stack.images.indices.contains(first.image) ? stack.images[first.image] : nil)
        #expect(name(file) == program)
        #expect(first.symbol == nil)
        #expect(Set(stack.images).count == stack.images.count)
        let images = Set(stack.calls.map(\.image))
        #expect(images == Set(stack.images.indices))
    }

    @Test("A call is looked up at its own instruction, which precedes the one to which it returns")
    func instruction() throws {
        let stacks = Collector<[CallStack]>()
        // A thread has few calls, so that the outermost is among them.
        let thread = Thread {
            let returns = Thread.callStackReturnAddresses.map(\.uintValue)
            stacks.add([CallStack.here, CallStack(addresses: returns.map { $0 &- 1 })])
        }
        thread.start()
        stacks.expect { $0.count == 1 }
        let found = try #require(stacks.all.first)
        let outermost = found.compactMap { stack in
            stack.calls.last.map { "\(stack.images[$0.image]) \($0.offset)" }
        }
        #expect(outermost.count == 2)
        #expect(Set(outermost).count == 1, "\(outermost)")
    }

    @Test("An address without a file is left out, and those of one file have their distance from its start")
    func addresses() throws {
        let method = DelegateConformance(FreeDelegate()).firstMethod
        let stack = CallStack(addresses: [1, method, method + 1])
        #expect(stack.images.map(name) == [program])
        #expect(stack.calls.map(\.image) == [0, 0])
        let offsets = stack.calls.map(\.offset)
        let (first, last) = (try #require(offsets.first), try #require(offsets.last))
        #expect(last == first + 1)
        #expect(CallStack(addresses: []) == CallStack(images: [], calls: []))
    }

    @Test(
        "The functions of the system's libraries are known by name, those of an app's files by their place",
        arguments: [
            ("/usr/lib/x86_64-linux-gnu/libc.so.6", true), ("/usr/lib/swift/linux/libswiftCore.so", true),
            ("libdispatch.so", true), ("/home/me/App/.build/debug/App", false), ("/usr/lib/libcurl.so.4", false),
            ("/opt/libcustom.so", false), ("", false),
        ])
    func system(_ path: String, _ expected: Bool) {
        let isSystem = CallStack.isSystem(path)
        #expect(isSystem == expected)
    }

    @Test("A delegate's conformance tells whether it is isolated to an actor")
    @MainActor func isolation() {
        let free = DelegateConformance(FreeDelegate())
        #expect(!free.isIsolated)
        let main = DelegateConformance(MainDelegate())
        #expect(main.isIsolated)
        #expect(main.firstMethod != 0)
        #expect(main.firstMethod != free.firstMethod)
    }
}
