public import Foundation
import KeyedArchive
import RecordSync

/// The bytes of an archived quiz, as received.
public struct EncodedData: Sendable, Equatable {
    /// The keyed archive.
    public let data: Data

    /// Creates a value from a quiz's keyed archive, unchecked.
    public init(_ data: Data) { self.data = data }

    /// Extracts the archive from a payload that was sent as a dictionary.
    ///
    /// - Parameter dictionary: The payload, with the archive under `Payload.dataKey`.
    /// - Throws: ``QuizError/undecodable(_:)`` if the payload has no archive.
    public init(_ dictionary: [String: Any]) throws(QuizError) {
        do throws(PayloadError) {
            self.init(try PayloadContent(dictionary).archive)
        } catch {
            throw QuizError(error)
        }
    }

    /// Extracts the archive from a payload that was sent as data.
    ///
    /// - Parameter payload: The keyed archive of the payload's dictionary.
    /// - Throws: ``QuizError/undecodable(_:)`` if the bytes are not an archived dictionary with an archive in it.
    public init(payload: Data) throws(QuizError) {
        do throws(PayloadError) {
            self.init(try PayloadContent(payload: payload).archive)
        } catch {
            throw QuizError(error)
        }
    }

    /// The decoded quiz; its content is not validated.
    ///
    /// - Throws: ``QuizError/undecodable(_:)`` if the bytes are not the archive of a quiz.
    public var quizData: QuizData {
        get throws(QuizError) {
            do {
                guard let quiz = try KeyedUnarchiver.unarchivedObject(ofClass: QuizData.self, from: data) else {
                    throw QuizError.undecodable("the archive is empty")
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
