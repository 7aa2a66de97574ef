extension PropertyListValue {
    /// Creates the value of a property-list object: strings, numbers, booleans, dates, data, arrays, dictionaries with
    /// string keys.
    ///
    /// - Throws: ``ArchiveError`` of code `unsupportedValue`, with the key path of an object of any other type; of code
    ///   `limitExceeded` for objects nested too deep.
    public init(object: Any, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        var reader = ObjectTreeReader(limits: limits)
        self = try reader.value(of: object)
    }

    /// The value in Swift and Foundation types: `[String: Any]`, `[Any]`, `String`, `Data`, `Date`, `Bool`, `Int`,
    /// `Double`, …
    public var object: Any {
        var writer = ObjectTreeWriter()
        return writer.object(of: self)
    }
}
