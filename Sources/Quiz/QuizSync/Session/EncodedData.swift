public import Foundation
import KeyedArchive

/// The bytes of an archived quiz, as they were received.
public struct EncodedData: Sendable, Equatable {
    public let data: Data

    /// - Parameter data: A quiz's keyed archive.
    public init(_ data: Data) { self.data = data }

    /// - Parameter dictionary: The payload, with the archive under ``Payload/dataKey``.
    /// - Throws: ``QuizError/undecodable(_:)`` if there is none.
    public init(_ dictionary: [String: Any]) throws(QuizError) {
        guard let value = dictionary[Payload.dataKey] else {
            throw .undecodable("the payload has no “\(Payload.dataKey)”")
        }
        guard let data = value as? Data else { throw .undecodable("the payload's “\(Payload.dataKey)” is no data") }
        self.init(data)
    }

    /// - Parameter payload: The payload's own archive.
    /// - Throws: ``QuizError/undecodable(_:)`` if the bytes are no archived dictionary with an archive in it.
    public init(payload: Data) throws(QuizError) {
        self.init(try QuizContent(payload: payload).archive)
    }

    /// The quiz in the bytes, its content unchecked.
    ///
    /// - Throws: ``QuizError/undecodable(_:)``.
    public var quizData: QuizData {
        get throws(QuizError) {
            do {
                guard let quiz = try KeyedUnarchiver.unarchivedObject(ofClass: QuizData.self, from: data) else {
                    throw QuizError.undecodable("the archive holds nothing")
                }
                return quiz
            } catch let error as QuizError {
                throw error
            } catch {
                throw .undecodable("\(error)")
            }
        }
    }
}
