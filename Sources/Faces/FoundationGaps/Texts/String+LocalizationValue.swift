public import Foundation

extension String {
    /// A text to be translated: a format with the values in it.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        /// The collector of a text's parts.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var format = ""
            fileprivate var arguments: [LocalizationArgument] = []

            /// Creates a collector without parts.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Appends a part that is translated.
            public mutating func appendLiteral(_ literal: String) {
                format += literal.replacingOccurrences(of: "%", with: "%%")
            }

            /// Appends a text that is not translated.
            public mutating func appendInterpolation(_ value: some StringProtocol) {
                append(.text(String(value)), "%@")
            }

            /// Appends a whole number.
            ///
            /// - Parameters:
            ///   - value: The number.
            ///   - specifier: The form of the number as for `printf`; nil for the usual one.
            public mutating func appendInterpolation(_ value: some FixedWidthInteger, specifier: String? = nil) {
                append(.integer(Int64(truncatingIfNeeded: value)), specifier ?? "%lld")
            }

            /// Appends a number.
            ///
            /// - Parameters:
            ///   - value: The number.
            ///   - specifier: The form of the number as for `printf`; nil for the usual one.
            public mutating func appendInterpolation(_ value: some BinaryFloatingPoint, specifier: String? = nil) {
                append(.number(Double(value)), specifier ?? "%lf")
            }

            /// Appends a value in the form that a style gives to it.
            public mutating func appendInterpolation<Style: FormatStyle>(_ value: Style.FormatInput, format: Style)
            where Style.FormatOutput == String {
                append(.text(format.format(value)), "%@")
            }

            private mutating func append(_ argument: LocalizationArgument, _ specifier: String) {
                format += specifier
                arguments.append(argument)
            }
        }

        /// The text with a specifier for each value, which is the key of the translation, too.
        let format: String
        private let arguments: [LocalizationArgument]

        /// Creates a text without values.
        public init(_ value: String) { self.init(stringLiteral: value) }

        public init(stringLiteral value: String) {
            format = value
            arguments = []
        }

        /// Creates a text of parts.
        public init(stringInterpolation: StringInterpolation) {
            format = stringInterpolation.format
            arguments = stringInterpolation.arguments
        }

        /// Returns the text that a bundle has for a key, with the values; this text if it has none.
        func text(for key: String, _ table: String?, _ bundle: Bundle?, _ locale: Locale) -> String {
            let format = (bundle ?? .main).localizedString(forKey: key, value: format, table: table)
            guard !arguments.isEmpty else { return format }
            return String(format: format, locale: locale, arguments: arguments.map(\.value))
        }
    }
}
