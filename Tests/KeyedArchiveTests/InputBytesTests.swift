import Testing

@testable import KeyedArchive

/// Tests of reading up to the last byte.
@Suite("Bytes of a file that is read")
struct InputBytesTests {
    /// Calls a closure with the bytes 1, 2, 3, …
    private func read(_ count: UInt8, _ body: (InputBytes) -> Void) {
        let bytes = Array(1...count)
        bytes.withUnsafeBytes { buffer in
            guard let input = InputBytes(buffer) else {
                Issue.record("expected \(count) bytes, came none")
                return
            }
            body(input)
        }
    }

    @Test("Eight bytes are enough, seven are not")
    func shortest() {
        let isSevenEnough = [UInt8](repeating: 0, count: 7).withUnsafeBytes { InputBytes($0) != nil }
        #expect(!isSevenEnough)
        let count = [UInt8](repeating: 0, count: 8).withUnsafeBytes { InputBytes($0)?.count }
        #expect(count == 8)
        let isNoneEnough = InputBytes(UnsafeRawBufferPointer(start: nil, count: 0)) != nil
        #expect(!isNoneEnough)
    }

    @Test("A number of any width is read at every place up to the last one", arguments: 1...8)
    func numbers(_ width: Int) {
        read(18) { input in
            for place in 0...(18 - width) {
                let number = input.bigEndian(at: place, width: width)
                let digits = (place..<(place + width)).map { UInt64($0 + 1) }
                let expected = digits.reduce(0) { $0 << 8 | $1 }
                #expect(number == expected, "at \(place)")
            }
        }
    }

    @Test("Sixteen bytes are read at every place up to the last one, the first ones lowest")
    func windows() {
        read(18) { input in
            for place in 0...2 {
                let window = input.window(at: place)
                let low = (0..<8).reduce(UInt64(0)) { $0 | UInt64(place + 1 + $1) << UInt64(8 * $1) }
                #expect(window.low == low)
                let high = (0..<8).reduce(UInt64(0)) { $0 | UInt64(place + 9 + $1) << UInt64(8 * $1) }
                #expect(window.high == high)
            }
        }
    }

    @Test("Single bytes and runs of bytes are read up to the end")
    func runs() {
        read(9) { input in
            let bytes = (0..<9).map { input[$0] }
            #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9])
            let whole = Array(input.bytes(0..<9))
            #expect(whole == bytes)
            let last = Array(input.bytes(8..<9))
            #expect(last == [9])
            let none = input.bytes(9..<9).count
            #expect(none == 0)
        }
    }
}
