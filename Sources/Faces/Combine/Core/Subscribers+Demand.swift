extension Subscribers {
    /// The number of values that a subscriber has requested.
    public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// `UInt.max` stands for unlimited.
        private let count: UInt

        private init(count: UInt) { self.count = count }

        /// A request for as many values as the publisher can send.
        public static let unlimited = Demand(count: .max)
        /// A request for no values.
        public static let none = Demand(count: 0)

        /// Returns a request for this many values. A negative number is a mistake of the caller, and stops the program
        /// on Apple's platforms; here it counts as none.
        public static func max(_ value: Int) -> Demand { Demand(count: UInt(Swift.max(0, value))) }

        /// The number of values; nil if unlimited.
        public var max: Int? { self == .unlimited ? nil : Int(clamping: count) }

        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

        /// Returns true if the left demand is smaller; unlimited is the largest.
        public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }

        /// Returns the sum. Unlimited plus anything is unlimited.
        public static func + (left: Demand, right: Demand) -> Demand {
            let (sum, isOverflow) = left.count.addingReportingOverflow(right.count)
            return isOverflow ? .unlimited : Demand(count: sum)
        }

        /// Returns the difference, at least none. Unlimited less anything is unlimited.
        public static func - (left: Demand, right: Demand) -> Demand {
            guard left != .unlimited else { return .unlimited }
            return Demand(count: left.count > right.count ? left.count - right.count : 0)
        }

        /// Returns the product. Unlimited times anything but 0 is unlimited.
        public static func * (left: Demand, right: Int) -> Demand {
            guard right > 0 else { return .none }
            let (product, isOverflow) = left.count.multipliedReportingOverflow(by: UInt(right))
            return isOverflow ? .unlimited : Demand(count: product)
        }

        /// Adds a demand.
        public static func += (left: inout Demand, right: Demand) { left = left + right }
        /// Subtracts a demand.
        public static func -= (left: inout Demand, right: Demand) { left = left - right }
        /// Multiplies a demand.
        public static func *= (left: inout Demand, right: Int) { left = left * right }

        /// Returns the sum with a number of values.
        public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }
        /// Returns the difference from a number of values.
        public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }
        /// Adds a number of values.
        public static func += (left: inout Demand, right: Int) { left = left + .max(right) }
        /// Subtracts a number of values.
        public static func -= (left: inout Demand, right: Int) { left = left - .max(right) }

        /// Returns true if the demand is for exactly this many values.
        public static func == (left: Demand, right: Int) -> Bool { left.max == right }
        /// Returns true if the demand is for more than this many values.
        public static func > (left: Demand, right: Int) -> Bool { left > .max(right) }
        /// Returns true if the demand is for at least this many values.
        public static func >= (left: Demand, right: Int) -> Bool { left >= .max(right) }
        /// Returns true if the demand is for fewer than this many values.
        public static func < (left: Demand, right: Int) -> Bool { left < .max(right) }
        /// Returns true if the demand is for at most this many values.
        public static func <= (left: Demand, right: Int) -> Bool { left <= .max(right) }
    }
}
