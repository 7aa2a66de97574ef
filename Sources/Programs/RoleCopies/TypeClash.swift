/// A type that two of the copied sources declare.
package struct TypeClash: Hashable, Sendable {
    package let name: String
    /// The paths of the first two sources.
    package let files: [String]

    static func all(in copies: [SurveyedCopy]) -> [TypeClash] {
        var first: [String: String] = [:]
        var clashes: [String: TypeClash] = [:]
        for copy in copies {
            for name in copy.catalogue.visibleNames {
                if let other = first[name] {
                    clashes[name] = clashes[name] ?? TypeClash(name: name, files: [other, copy.path])
                } else {
                    first[name] = copy.path
                }
            }
        }
        return clashes.values.sorted { $0.name < $1.name }
    }
}
