import Foundation
import Testing

@testable import WatchConnectivity

@Suite("The encoding of dictionaries")
struct MessagePayloadTests {
    @Test("A property list that is no dictionary is refused as such")
    func noDictionary() throws {
        for value in [["a", "b"], "text"] as [Any] {
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
            let error = #expect(throws: WCError.self) { try MessagePayload.dictionary(data) }
            #expect(error?.code.rawValue == 7010)
            #expect(error?.reason == "the payload is not a dictionary")
        }
    }

    @Test("Data that is no property list is refused with a reason")
    func damaged() {
        let error = #expect(throws: WCError.self) { try MessagePayload.dictionary(Data("no archive".utf8)) }
        #expect(error?.code.rawValue == 7010)
        #expect(error?.reason != "the payload is not a dictionary")
    }

    @Test("A value that no property list has is refused with its key path")
    func unsupported() {
        let error = #expect(throws: WCError.self) { try MessagePayload.data(["a": ["b": UUID()] as [String: Any]]) }
        #expect(error?.code.rawValue == 7010)
        let reason = error?.reason ?? ""
        #expect(reason.contains("a.b"), "\(reason)")
    }
}
