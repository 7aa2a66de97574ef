import Foundation
import KeyedArchive

/// The encoding of dictionaries as binary property lists.
enum MessagePayload {
    /// - Throws: ``WCError`` with the key path of a value that is not a property-list type.
    static func data(_ dictionary: [String: Any]) throws(WCError) -> Data {
        do {
            return try PropertyListObjects.data(of: dictionary)
        } catch {
            throw WCError(.payloadUnsupportedTypes, reason: "\(error)")
        }
    }

    /// - Throws: ``WCError`` if the data is not an encoded dictionary.
    static func dictionary(_ data: Data) throws(WCError) -> [String: Any] {
        do {
            guard let dictionary = try PropertyListObjects.object(from: data) as? [String: Any] else {
                throw WCError(.payloadUnsupportedTypes, reason: "the payload is not a dictionary")
            }
            return dictionary
        } catch let error as WCError {
            throw error
        } catch {
            throw WCError(.payloadUnsupportedTypes, reason: "\(error)")
        }
    }
}
