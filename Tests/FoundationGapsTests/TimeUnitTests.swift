import Dispatch
import FoundationGaps
import Testing

@Suite("Units of time")
struct TimeUnitTests {
    @Test("The constants of Apple's Dispatch are there, with its type")
    func constants() {
        let delay = 0.25
        // Code for Apple's platforms computes with them in this way.
        let deadline = DispatchTime(uptimeNanoseconds: UInt64(delay * Double(NSEC_PER_SEC)))
        #expect(deadline.uptimeNanoseconds == 250 * NSEC_PER_MSEC)
        #expect(NSEC_PER_SEC == USEC_PER_SEC * NSEC_PER_USEC)
        let units: [UInt64] = [NSEC_PER_USEC, NSEC_PER_MSEC, USEC_PER_SEC, NSEC_PER_SEC]
        #expect(units == [1_000, 1_000_000, 1_000_000, 1_000_000_000])
    }
}
