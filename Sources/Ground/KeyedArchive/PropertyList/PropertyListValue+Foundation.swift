extension PropertyListValue {
    /// The value of a property-list object: strings, numbers, booleans, dates, data, arrays, dictionaries with string keys.
    ///
    /// - Throws: ``ArchiveError`` of code `unsupportedValue`, with the key path of what is none of these.
    public init(object: Any, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        var reader = ObjectTreeReader(limits: limits)
        self = try reader.value(of: object)
    }

    /// The value as Swift and Foundation have it: `[String: Any]`, `[Any]`, `String`, `Data`, `Date`, `Bool`, `Int`, `Double`, …
    public var object: Any {
        var writer = ObjectTreeWriter()
        return writer.object(of: self)
    }

    /// The same with every number and boolean an `NSNumber`: what an application gets of a property list on Apple's platforms, where an
    /// integer that was sent may be read as a `Double`.
    package var foundationObject: Any {
        var writer = ObjectTreeWriter(boxesNumbers: true)
        return writer.object(of: self)
    }
}
