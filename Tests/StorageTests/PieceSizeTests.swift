import Storage
import Testing

@Suite("The size of pieces")
struct PieceSizeTests {
    private func sizes(_ range: ClosedRange<Int>, after milliseconds: [Double]) -> [Int] {
        var size = PieceSize(range)
        return [size.count]
            + milliseconds.map { time in
                size.took(.seconds(time / 1_000))
                return size.count
            }
    }

    @Test("Quick pieces double up to the limit; a slow one is followed by one that takes the wanted time")
    func follows() {
        #expect(sizes(16...100, after: [0, 1, 1, 1]) == [16, 32, 64, 100, 100])
        #expect(sizes(16...1_000, after: [1, 1, 1, 10, 5]) == [16, 32, 64, 128, 64, 64])
        #expect(sizes(16...1_000, after: [4]) == [16, 20])
    }

    @Test("However slow the disk is, a piece has at least the smallest size, from which it grows again")
    func recovers() {
        #expect(sizes(16...1_000, after: [1, 5_000, 1]) == [16, 32, 16, 32])
    }
}
