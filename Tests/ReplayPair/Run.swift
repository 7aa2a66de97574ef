import Foundation

/// A run as an object of a keyed archive.
final class Run: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    private let number: Int
    private let isSwapped: Bool
    var omitsName = false
    var hasMore = false
    var hasTextNumber = false

    init(number: Int, isSwapped: Bool) { (self.number, self.isSwapped) = (number, isSwapped) }

    init?(coder: NSCoder) { (number, isSwapped) = (coder.decodeInteger(forKey: "number"), false) }

    func encode(with coder: NSCoder) {
        let parts: [() -> Void] = [
            {
                if self.hasTextNumber {
                    coder.encode("\(self.number)", forKey: "number")
                } else {
                    coder.encode(self.number, forKey: "number")
                }
            },
            { if !self.omitsName { coder.encode("Morning", forKey: "name") } },
            { coder.encode([120, 130, 125], forKey: "hearts") }, { coder.encode(5.25, forKey: "distance") },
            { coder.encode(NSDate(), forKey: "start") }, { coder.encode(NSUUID(), forKey: "id") },
        ]
        for part in isSwapped ? parts.reversed() : parts { part() }
        if hasMore { coder.encode("sunny", forKey: "weather") }
    }
}
