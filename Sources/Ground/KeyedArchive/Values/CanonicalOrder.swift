import Foundation

/// A canonical order for unordered elements, so that equal collections have equal archives. A set's own order differs
/// from run to run, and would leak the hash seed.
enum CanonicalOrder {
    /// Sorts strings by their text, and all other values by their archives.
    ///
    /// - Parameter isShallow: True to leave all but strings in their order. Archives for sorting are made this way:
    ///   otherwise nested sets would be archived again for each level.
    static func sorted<Element>(_ elements: [Element], isShallow: Bool, by value: (Element) -> Any) -> [Element] {
        guard elements.count > 1 else { return elements }
        let keyed = elements.map { (element: $0, text: value($0) as? String) }
        if isShallow || keyed.allSatisfy({ $0.text != nil }) {
            return keyed.sorted { ($0.text ?? "") < ($1.text ?? "") }.map(\.element)
        }
        let archived = keyed.map { (element: $0.element, text: $0.text ?? "", bytes: archive(value($0.element))) }
        return archived.sorted { left, right in
            left.text == right.text ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.text < right.text
        }.map(\.element)
    }

    /// Returns the archive of a value; empty for one that cannot be archived, which is an error when it is written.
    private static func archive(_ value: Any) -> [UInt8] {
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        archiver.sortsShallowly = true
        archiver.encode(value, forKey: KeyedArchiver.rootKey)
        return Array(archiver.encodedData)
    }
}
