import Foundation
import Testing

@testable import Cassettes

@Suite("The lines of events")
struct CassetteEventTests {
    private func event(_ text: String, _ number: Int) -> CassetteEvent {
        var event = CassetteEvent(sequence: number, time: Int64(number), side: text, kind: text)
        event.watch = number
        (event.package, event.cause, event.bytes, event.error) = (number, number, number, number)
        (event.thread, event.wantsReply, event.content, event.words) = (number, number, text, text)
        return event
    }

    @Test(
        "A line is read as it was written, with the longest numbers and texts that are escapes alone",
        arguments: [
            "", "watch", "\"", "\\", "\u{1F}", "\u{7F}", "ä", "€", "\u{1F469}\u{200D}\u{1F680}",
            String(repeating: "\u{1F}", count: 300), String(repeating: "é€🚀\n", count: 99), "a\u{0}b",
        ], [Int.min, -1, 0, 9, 10, 1_234_567, Int.max])
    func roundTrip(_ text: String, _ number: Int) throws {
        let event = event(text, number)
        let line = event.line
        #expect(try JSONDecoder().decode(CassetteEvent.self, from: Data(line.utf8)) == event, "\(line)")
        #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(line)")
    }

    @Test("Keys have their order, and absent properties no key")
    func form() {
        var event = CassetteEvent(sequence: 7, time: -12, side: "phone", kind: "read")
        #expect(event.line == #"{"n":7,"t":-12,"s":"phone","k":"read"}"#)
        event.words = "a \"b\""
        event.package = 3
        #expect(event.line == #"{"n":7,"t":-12,"s":"phone","k":"read","p":3,"w":"a \"b\""}"#)
        event.watch = 2
        #expect(event.line == #"{"n":7,"t":-12,"s":"phone","k":"read","p":3,"o":2,"w":"a \"b\""}"#)
        #expect(
            self.event("x", 10).line
                == #"{"n":10,"t":10,"s":"x","k":"x","p":10,"o":10,"c":10,"d":"x","b":10,"e":10,"h":10,"r":10,"w":"x"}"#)
    }
}
