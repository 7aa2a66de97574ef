public import Foundation

extension String {
    /// Creates a text in the language of a bundle, or as it is written if the bundle has no translation.
    ///
    /// - Parameters:
    ///   - keyAndValue: The text, which is also the key of its translation.
    ///   - table: The name of the table of texts; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the program's.
    ///   - locale: The locale of the numbers in the text.
    ///   - comment: A note for translators; it is not used.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = keyAndValue.text(for: keyAndValue.format, table, bundle, locale)
    }

    /// Creates a text in the language of a bundle, or as a default if the bundle has no translation.
    ///
    /// - Parameters:
    ///   - key: The key of the translation.
    ///   - defaultValue: The text without a translation, and the values in it.
    ///   - table: The name of the table of texts; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the program's.
    ///   - locale: The locale of the numbers in the text.
    ///   - comment: A note for translators; it is not used.
    public init(
        localized key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = defaultValue.text(for: "\(key)", table, bundle, locale)
    }
}
