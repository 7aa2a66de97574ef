import Testing
import WatchConnectivity

@Suite("Queues as keys")
struct QueueKeyTests {
    @Test("A queue is equal to itself alone, whatever its label, and is found as a key")
    func keys() {
        let (first, second) = (DispatchQueue(label: "label"), DispatchQueue(label: "label"))
        let same = first
        #expect(first == same)
        #expect(first != second)
        let names = [first: "first", second: "second"]
        #expect(names[first] == "first")
        #expect(names[second] == "second")
    }
}
