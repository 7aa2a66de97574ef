/// The text of a message with interpolated values, which are evaluated only if the message is written.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    private let interpolation: OSLogInterpolation

    /// Creates a message from an interpolation.
    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

    /// Creates a message without values.
    public init(stringLiteral value: String) {
        var interpolation = OSLogInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.interpolation = interpolation
    }

    func text(showsPrivate: Bool) -> String {
        interpolation.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .value(let render, let privacy, let isPrivate):
                privacy.shown(isPrivateByDefault: isPrivate, showsPrivate: showsPrivate, render)
            }
        }.joined()
    }
}
