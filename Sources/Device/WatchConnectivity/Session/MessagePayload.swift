import Foundation
import KeyedArchive

/// Dictionaries of messages as bytes: binary property lists.
enum MessagePayload {
    /// - Throws: ``WCError`` with the key path of what is no property-list value.
    static func data(_ dictionary: [String: Any]) throws(WCError) -> Data {
        do {
            return try PropertyListValue(object: dictionary).binaryData()
        } catch {
            throw WCError(.payloadUnsupportedTypes, reason: "\(error)")
        }
    }

    /// - Throws: ``WCError`` if the bytes are no dictionary.
    static func dictionary(_ data: Data) throws(WCError) -> [String: Any] {
        do {
            guard let dictionary = try PropertyListValue(binary: data).foundationObject as? [String: Any] else {
                throw WCError(.payloadUnsupportedTypes, reason: "no dictionary")
            }
            return dictionary
        } catch let error as WCError {
            throw error
        } catch {
            throw WCError(.payloadUnsupportedTypes, reason: "\(error)")
        }
    }
}
