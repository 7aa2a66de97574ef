package import RecordSync

extension QuizData: DirectDocument {
    package func encodeDocument(to encoder: any Encoder) throws { try QuizDocument(self).encode(to: encoder) }

    package static func decoded(
        from fields: KeyedDecodingContainer<DocumentKey>, beside others: Set<String>
    ) throws -> QuizData {
        do {
            return try QuizDocument(fields, beside: others).quiz()
        } catch let error as DecodingError {
            throw QuizError(PayloadError(error))
        }
    }
}
