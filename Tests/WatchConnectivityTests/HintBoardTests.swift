import DeviceShell
import EventLog
import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Hints")
struct HintBoardTests {
    private let log = Collector<LogRecord>()
    private let board: HintBoard

    init() { board = HintBoard(Logger(service: "test") { [log] in log.add($0) }) }

    private var hints: [[LogField]] { log.all.filter { $0.event == .hint }.map { Array($0.fields.prefix(2)) } }

    private func fields(_ hint: Hint) -> [LogField] { [.hint(hint.rawValue), .reason(hint.advice)] }

    @Test("Each is given once, with its advice, and then what it is about")
    func once() {
        let package = UUID()
        for _ in 1...2 {
            board.give(.replyDropped, [.package(package)])
            board.give(.fileNotMoved)
        }
        #expect(hints == [fields(.replyDropped), fields(.fileNotMoved)])
        #expect(log.all.first?.fields.last == .package(package))
        #expect(log.all.last?.fields.count == 2)
    }

    @Test("One that repeats is given each time, whether it was given before or not")
    func repeated() {
        for repeats in [true, true, false] { board.give(.methodBlocked, repeats: repeats) }
        #expect(hints == [fields(.methodBlocked), fields(.methodBlocked)])
    }

    @Test("Each has its own name and advice")
    func distinct() {
        #expect(Set(Hint.allCases.map(\.rawValue)).count == Hint.allCases.count)
        #expect(Set(Hint.allCases.map(\.advice)).count == Hint.allCases.count)
    }
}
