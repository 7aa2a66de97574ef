/// A place in an app's sources that needs what Linux does not have.
package struct SurveyGap: Hashable, Sendable {
    /// The kind of what is missing.
    package enum Kind: String, Sendable {
        case module = "import"
        case symbol
    }

    /// The path of the source, relative to the app's folder.
    package let file: String
    package let line: Int
    package let kind: Kind
    package let name: String
    /// The face that supplies it; nil if nothing does.
    package let supply: Face?
    /// The remark that helps if nothing supplies it.
    package var advice = ""
}
