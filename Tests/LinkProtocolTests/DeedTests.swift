import Foundation
import LinkProtocol
import Testing

@Suite("Deeds")
struct DeedTests {
    @Test("Held packages are released, and all faults cleared, by different words")
    func faults() throws {
        let deeds = try ["release", "clear"].map { try FaultDeed(words: [$0]) }
        #expect(deeds == [.release, .clear])
        #expect(deeds.map(\.words) == [["release"], ["clear"]])
    }

    @Test("The complication is added unless something else is said")
    func complication() {
        let change = WatchDeed.Change("complication")
        #expect(change == .complication(isEnabled: true))
        let off = WatchDeed.Change("complication", isEnabled: false)
        #expect(off == .complication(isEnabled: false))
        let unknown = WatchDeed.Change("complicate")
        #expect(unknown == nil)
    }

    @Test("Only a file needs a path, which is absolute")
    func sent() {
        for kind in SendDeed.Kind.allCases {
            for path in [nil, "", "a/b", "/a"] {
                let deed = SendDeed(kind, content: "text", path: path)
                let expected: SendDeed? =
                    switch kind {
                    case .message: .message("text")
                    case .context: .context("text")
                    case .userInfo: .userInfo("text")
                    case .complication: .complication("text")
                    case .file: path == "/a" ? .file(path: "/a") : nil
                    }
                #expect(deed == expected, "\(kind) with \(path ?? "no path")")
                #expect(deed == nil || deed?.kind == kind, "\(kind) with \(path ?? "no path")")
            }
        }
    }

    @Test("A flapping view alternates with “never”, and “never” with the actual one; the rest of the fault stays")
    func flapped() {
        for idea in ReachabilityFault.Idea.allCases {
            let fault = ReachabilityFault(idea, isSilent: true, flapPeriod: .seconds(2))
            let expected = ReachabilityFault(idea == .never ? .right : .never, isSilent: true, flapPeriod: .seconds(2))
            #expect(fault.flapped == expected, "\(idea)")
        }
        let words = ReachabilityFault().words
        #expect(words == ["right"])
    }
}
