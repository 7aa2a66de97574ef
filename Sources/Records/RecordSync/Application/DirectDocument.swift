/// A payload whose document is coded together with the fields of its record: an export needs no tree of JSON values
/// between, which would take most of the time.
package protocol DirectDocument: RecordPayload {
    /// Encodes the object that ``document()`` returns.
    func encodeDocument(to encoder: any Encoder) throws

    /// Decodes a document that ``decoded(fromDocument:)`` would accept without the other keys.
    ///
    /// - Parameter others: The keys of the record beside those of the document.
    static func decoded(from fields: KeyedDecodingContainer<DocumentKey>, beside others: Set<String>) throws -> Self
}
