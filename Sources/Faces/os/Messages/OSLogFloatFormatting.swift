import Foundation

/// The form of a number in a message.
public struct OSLogFloatFormatting {
    private let conversion: String
    private let explicitPositiveSign: Bool
    private let precision: () -> Int?

    private init(
        _ conversion: String, explicitPositiveSign: Bool = false, precision: @escaping () -> Int? = { nil }
    ) {
        self.conversion = conversion
        self.explicitPositiveSign = explicitPositiveSign
        self.precision = precision
    }

    /// Six digits after the point, as printf's `%f`.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting("f") }
    /// A power of ten, as printf's `%e`.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting("e") }
    /// The shorter of both, as printf's `%g`.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting("g") }
    /// Hexadecimal digits, as printf's `%a`.
    public static var hex: OSLogFloatFormatting { OSLogFloatFormatting("a") }

    /// Digits after the point.
    public static func fixed(
        precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            uppercase ? "F" : "f", explicitPositiveSign: explicitPositiveSign, precision: { precision() })
    }

    /// Six digits after the point.
    public static func fixed(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(uppercase ? "F" : "f", explicitPositiveSign: explicitPositiveSign)
    }

    /// A power of ten.
    public static func exponential(
        precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            uppercase ? "E" : "e", explicitPositiveSign: explicitPositiveSign, precision: { precision() })
    }

    /// The shorter of both forms.
    public static func hybrid(
        precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            uppercase ? "G" : "g", explicitPositiveSign: explicitPositiveSign, precision: { precision() })
    }

    /// The most digits after the point. 100: a number has no more that mean anything.
    private static let mostDigits = 100

    func text(_ number: Double) -> String {
        let digits = precision().map { ".\(max(0, min($0, Self.mostDigits)))" } ?? ""
        return String(format: "%\(explicitPositiveSign ? "+" : "")\(digits)\(conversion)", number)
    }
}
