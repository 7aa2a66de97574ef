package import Configuration

/// A payload whose documents are read and written together with the fields of its record, without a tree of JSON values
/// between, which would take most of the time of an export or import.
package protocol DirectDocument: RecordPayload {
    /// The keys of the object that ``document()`` returns.
    static var documentKeys: [String] { get }

    /// Writes the value of one of these keys.
    func write(_ key: String, to writer: inout JSONWriter) throws

    /// Reads a document of the usual form, unchecked; nil for any other, which is left to ``decoded(fromDocument:)``.
    ///
    /// - Parameter other: Reads the value of a key that is not one of a document; returns false for an unknown key.
    static func read(
        from reader: inout PlainJSONReader, beside other: (_ key: String, inout PlainJSONReader) -> Bool
    ) -> Self?
}
