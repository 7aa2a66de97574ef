/// Sizes and numbers as a cassette shows them: their magnitude only.
package enum RoundedSize {
    /// The smallest size that differs from none. 8: a shorter text could be guessed from its length.
    private static let least = 8

    /// Returns a size rounded up to two binary digits, such as 8, 12, 16, 24, 32; at least 8 unless it is 0.
    package static func rounded(_ size: Int) -> Int {
        guard size > 0 else { return 0 }
        var step = least
        while step < size {
            guard step <= Int.max / 4 else { return Int.max }
            if step / 2 * 3 >= size { return step / 2 * 3 }
            step *= 2
        }
        return step
    }

    /// The powers of 16 that bound numbers: 16^1 to 16^15. A number in 64 bits has one, or none.
    private static let bounds: [Double] = (1...15).reduce(into: []) { bounds, _ in
        bounds.append((bounds.last ?? 1) * 16)
    }

    /// Returns the power of 16 that a number's magnitude is below, with the number's sign; “large” if there is none.
    package static func magnitude(_ number: Double) -> String {
        guard let bound = bounds.first(where: { abs(number) < $0 }) else { return "large" }
        return (number < 0 ? "-" : "") + String(Int64(bound))
    }
}
