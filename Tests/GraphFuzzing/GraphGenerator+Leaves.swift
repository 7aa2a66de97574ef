import Foundation
import KeyedArchive

extension GraphGenerator {
    /// The number of kinds of values that ``leaf(_:_:kind:)`` makes.
    static let leafKinds = 15

    mutating func leaf(_ position: Int, _ count: Int) -> GraphNode {
        leaf(position, count, kind: random.below(Self.leafKinds))
    }

    /// - Parameters:
    ///   - position: The position of the new node.
    ///   - count: The number of all nodes.
    mutating func leaf(_ position: Int, _ count: Int, kind: Int) -> GraphNode {
        switch kind {
        case 0, 1: .inline(.string(text()))
        case 2, 3: .inline(number())
        case 4: .inline(.data(bytes()))
        case 5: .object(className: "NSMutableString", values: ["NS.string": .string(text())], references: [:])
        case 6: .object(className: "NSMutableData", values: ["NS.data": .data(bytes())], references: [:])
        case 7: .object(className: "NSDate", values: ["NS.time": .real(random.pick(Self.times))], references: [:])
        case 8: .object(className: "NSUUID", values: ["NS.uuidbytes": .data(uuid())], references: [:])
        case 9: url(position, count)
        case 10: .object(className: "NSNull", values: [:], references: [:])
        case 11: indexSet()
        case 12, 13: geometric(position, count)
        default: decimal()
        }
    }

    private static let times = [0, -0.0, 1, 800_000_000.5, -1e12, 1e300]
    private static let numbers: [PropertyListValue] = [
        .integer(0), .integer(1), .integer(-1), .boolean(true), .boolean(false), .real(1), .float(1), .real(-0.0),
        .real(.nan), .float(.nan), .real(.infinity), .integer(.max), .integer(.min), .unsigned(.max),
        .real(9_223_372_036_854_775_808), .real(0.1), .float(0.1), .integer(1 << 53), .integer(1 << 53 + 1),
        .real(9_007_199_254_740_992),
    ]
    private static let texts = [
        "", "a", "b", "1", "$null", "e\u{301}", "\u{e9}", "ß", "SS", "\u{212B}", "\u{C5}", "🥦", "a\u{0}", "{1, 2}",
        "NSArray",
    ]

    private mutating func text() -> String {
        guard random.oneIn(6) else { return random.pick(Self.texts) }
        // Texts that differ where Foundation does not hash them.
        let middle = "\(random.below(1000))"
        return String(repeating: random.pick(["x", "e\u{301}"]), count: 40) + middle
            + String(repeating: "y", count: 200 - middle.count)
    }

    private mutating func number() -> PropertyListValue {
        random.oneIn(2) ? random.pick(Self.numbers) : .integer(Int64(random.below(1000)))
    }

    private mutating func bytes() -> Data {
        let head = Data(repeating: 7, count: random.pick([0, 1, 80, 100]))
        return head + Data([UInt8(random.below(4))])
    }

    private mutating func uuid() -> Data { Data((0..<16).map { UInt8($0) * UInt8(random.below(2)) }) }

    private mutating func url(_ position: Int, _ count: Int) -> GraphNode {
        let relative = part(.inline(.string(random.pick(["b", "c?d=e", "http://example.org/a/", "", "%"]))), count)
        guard random.oneIn(3) else {
            return .object(className: "NSURL", values: ["NS.base": .uid(0)], references: ["NS.relative": relative])
        }
        // The next node may be such a base, so that bases have bases.
        let next = min(position + 1, count - 1)
        return .object(
            className: "NSURL", values: [:],
            references: ["NS.relative": relative, "NS.base": random.oneIn(2) ? next : helper(url(next, count), count)])
    }

    /// Adds a valid helper, or rarely refers to any node instead.
    private mutating func part(_ node: GraphNode, _ count: Int) -> Int {
        random.oneIn(30) ? random.below(count) : helper(node, count)
    }

    private mutating func indexSet() -> GraphNode {
        .object(
            className: random.pick(["NSIndexSet", "NSMutableIndexSet"]),
            values: [
                "NSRangeCount": .integer(Int64(random.below(2))), "NSLocation": .integer(random.pick([0, 1, 5])),
                "NSLength": .integer(random.pick([1, 2, .max - 5])),
            ], references: [:])
    }

    private mutating func geometric(_ position: Int, _ count: Int) -> GraphNode {
        func value(_ kind: Int64, _ references: [String: Int]) -> GraphNode {
            .object(className: "NSValue", values: ["NS.special": .integer(kind)], references: references)
        }
        switch random.below(4) {
        case 0: return value(1, ["NS.pointval": part(.inline(.string("{1, \(random.below(3))}")), count)])
        case 1: return value(2, ["NS.sizeval": part(.inline(.string("{0.5, \(random.below(3))}")), count)])
        case 2: return value(3, ["NS.rectval": part(.inline(.string("{{1, 2}, {3, \(random.below(3))}}")), count)])
        default:
            let location = part(.inline(.integer(Int64(random.below(100)))), count)
            let length = part(.inline(.integer(random.pick([0, 1, 2, .max]))), count)
            return value(4, ["NS.rangeval.location": location, "NS.rangeval.length": length])
        }
    }

    private mutating func decimal() -> GraphNode {
        .object(
            className: "NSDecimalNumber",
            values: [
                "NS.exponent": .integer(random.pick([0, 2, -3])), "NS.length": .integer(1),
                "NS.negative": .boolean(random.oneIn(2)), "NS.compact": .boolean(true), "NS.mantissa.bo": .integer(1),
                "NS.mantissa": .data(Data([UInt8(random.below(3))] + [UInt8](repeating: 0, count: 15))),
            ], references: [:])
    }
}
