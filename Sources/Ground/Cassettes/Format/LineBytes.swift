/// A line of JSON in memory of a known size: with a string to which it appends, the recorder's thread takes half as long
/// again for each event.
struct LineBytes {
    /// The most bytes that one byte of a text takes in JSON: `\u001F`.
    private static let escapedBytes = 6
    /// The most bytes of a number, with its sign.
    private static let numberBytes = 20

    private let memory: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

    /// Returns the text of a line.
    ///
    /// - Parameters:
    ///   - fixed: The bytes of all fixed parts, with the texts' quotation marks.
    ///   - numbers: The number of numbers.
    ///   - texts: The bytes of all texts.
    static func line(fixed: Int, numbers: Int, texts: Int, _ write: (inout LineBytes) -> Void) -> String {
        String(unsafeUninitializedCapacity: fixed + numbers * numberBytes + texts * escapedBytes) { memory in
            var line = LineBytes(memory)
            write(&line)
            return line.count
        }
    }

    /// Adds a part of the form.
    mutating func add(form part: StaticString) {
        add(bytes: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
    }

    /// Adds a number in decimal digits.
    mutating func add(number: Int64) {
        if number < 0 { add(form: "-") }
        let start = count
        var rest = number.magnitude
        repeat {
            memory[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            count += 1
        } while rest > 0
        memory[start..<count].reverse()
    }

    /// Adds a text with its quotation marks.
    mutating func add(text: String) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy(RedactedValue.isPlain) else { return false }
            add(form: "\"")
            add(bytes: bytes)
            add(form: "\"")
            return true
        }
        guard isPlain != true else { return }
        var escaped = ""
        RedactedValue.write(text, to: &escaped)
        escaped.withUTF8 { add(bytes: $0) }
    }

    private mutating func add(bytes: UnsafeBufferPointer<UInt8>) {
        count = memory[count...].initialize(fromContentsOf: bytes)
    }
}
