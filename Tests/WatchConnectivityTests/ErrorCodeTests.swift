import LinkProtocol
import Testing
import WatchConnectivity

@Suite("Error codes")
struct ErrorCodeTests {
    @Test("Faults can name exactly the errors that an application can catch, by name and by number")
    func same() {
        let named = SessionErrorCode.allCases.map { "\($0) \($0.rawValue)" }
        #expect(named == WCError.Code.allCases.map { "\($0) \($0.rawValue)" })
    }
}
