import Foundation

/// Random objects, most of which a property list can contain, the same ones for one seed.
struct RandomObjects {
    private var state: UInt64
    /// Collections made earlier, to be referred to again.
    private var made: [Any] = []

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func number(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 1) % limit
    }

    mutating func dictionary() -> [String: Any] { entries(depth: 0) }

    private mutating func entries(depth: Int) -> [String: Any] {
        var entries: [String: Any] = [:]
        for _ in 0..<number(below: 6) { entries[text()] = object(depth: depth + 1) }
        return entries
    }

    private mutating func text() -> String {
        ["", "a", "b", "name", "question", "a longer text than a short one", "é", "e\u{301}", "日本", "🎈"][
            number(below: 10)]
    }

    private mutating func object(depth: Int) -> Any {
        guard depth < 5, number(below: 3) == 0 else { return scalar() }
        if !made.isEmpty, number(below: 4) == 0 { return made[number(below: made.count)] }
        let object = collection(depth: depth)
        made.append(object)
        return object
    }

    private mutating func collection(depth: Int) -> Any {
        let elements = (0..<number(below: 4)).map { _ in object(depth: depth + 1) }
        switch number(below: 12) {
        case 0: return entries(depth: depth)
        case 1: return [entries(depth: depth), entries(depth: depth)]
        case 2: return elements
        case 3: return NSArray(array: elements)
        case 4: return NSDictionary(dictionary: entries(depth: depth))
        case 5: return NSMutableArray(array: elements)
        case 6: return [text(), text()]
        case 7: return [text(): number(below: 9)]
        case 8: return [text(): text()]
        case 9: return [number(below: 300), -1]
        case 10: return [Double(number(below: 9)), 0.5]
        default: return [AnyHashable(text()): scalar()]
        }
    }

    private mutating func scalar() -> Any {
        let value = number(below: 300)
        switch number(below: 60) {
        case 0..<14: return text()
        case 14..<22: return value
        case 22..<27: return Double(value) / 4
        case 27..<31: return value.isMultiple(of: 2)
        case 31..<34: return Date(timeIntervalSinceReferenceDate: Double(value))
        case 34..<37: return Data(repeating: 1, count: value * 8)
        case 37..<41: return NSNumber(value: value)
        case 41..<43: return NSNumber(value: value.isMultiple(of: 2))
        case 43..<45: return NSNumber(value: Double(value) / 4)
        case 45: return NSString(string: text())
        case 46: return NSMutableString(string: text())
        case 47: return NSMutableData(length: value * 8) ?? Data()
        case 48: return NSDate(timeIntervalSinceReferenceDate: Double(value))
        case 49: return NSNumber(value: Float(value))
        case 50: return UInt8(value % 200)
        case 51: return UInt64.max - UInt64(value)
        case 52: return Float(value)
        case 53: return Decimal(value)
        case 54: return AnyHashable(text())
        case 55: return Optional(value) as Any
        case 56: return Int32(-value)
        case 57: return CGFloat(value)
        case 58: return NSDecimalNumber(value: value)
        default: return [UUID(), NSNull(), URL(filePath: "/"), Set([1])][number(below: 4)] as Any
        }
    }
}
