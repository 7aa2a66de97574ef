import Testing

@testable import KeyedArchive

/// Tests of reads and writes outside of a file, which stop a debug build. The file is the middle of other memory.
@Suite("Bytes outside of a file")
struct OutsideBytesTests {
    @Test("A read outside of a file stops the program", arguments: 0..<5)
    func reads(_ form: Int) async {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
            let memory = [UInt8](repeating: 1, count: 96)
            memory.withUnsafeBytes { buffer in
                guard let input = InputBytes(UnsafeRawBufferPointer(rebasing: buffer[32..<64])) else { return }
                switch form {
                case 0: _ = input[32]
                case 1: _ = input[-1]
                case 2: _ = input.bigEndian(at: 25, width: 8)
                case 3: _ = input.window(at: 17)
                default: _ = input.bytes(31..<33)
                }
            }
        }
        let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("read of"), "\(said)")
    }

    @Test("A write outside of a file stops the program", arguments: 0..<5)
    func writes(_ form: Int) async {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
            var memory = [UInt8](repeating: 0, count: 96)
            let (bytes, references): ([UInt8], [ObjectTable.Index]) = ([1, 2], [1, 2])
            let scalars = [ObjectTable.Scalar(start: 1), ObjectTable.Scalar(start: 2)]
            memory.withUnsafeMutableBytes { buffer in
                let output = OutputBytes(UnsafeMutableRawBufferPointer(rebasing: buffer[32..<64]))
                var place = 31
                switch form {
                case 0: output.put(1, width: 1, at: -1)
                case 1: output.put(1, width: 2, at: 31)
                case 2: bytes.withUnsafeBufferPointer { output.put($0, at: &place) }
                case 3: references.withUnsafeBufferPointer { output.put($0, scalars: 1, width: 1, at: &place) }
                default: scalars.withUnsafeBufferPointer { output.put(offsetsOf: $0, from: 0, width: 1, at: &place) }
                }
            }
        }
        let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("write outside the file"), "\(said)")
    }
}
