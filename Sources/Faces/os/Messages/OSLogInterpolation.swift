public import Foundation

/// The parts of a message: literal text, and values with their privacy.
public struct OSLogInterpolation: StringInterpolationProtocol {
    enum Segment {
        case literal(String)
        case value(render: () -> String, privacy: OSLogPrivacy, isPrivateByDefault: Bool)
    }

    private(set) var segments: [Segment] = []

    /// Creates an empty message; the compiler calls this for an interpolated string.
    public init(literalCapacity: Int, interpolationCount: Int) {
        segments.reserveCapacity(interpolationCount * 2 + 1)
    }

    /// Appends text of the source, which is public.
    public mutating func appendLiteral(_ literal: String) {
        if !literal.isEmpty { segments.append(.literal(literal)) }
    }

    /// Adds a string; private by default.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: true) { align.aligned(argumentString()) }
    }

    /// Adds a value by its description; private by default.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: true) { align.aligned(value().description) }
    }

    /// Adds an object by its description; private by default.
    public mutating func appendInterpolation(
        _ argumentObject: @autoclosure @escaping () -> NSObject, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: true) { argumentObject().description }
    }

    /// Adds an object by its description; private by default.
    public mutating func appendInterpolation(
        _ argumentObject: @autoclosure @escaping () -> NSObject?, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: true) { argumentObject()?.description ?? "(null)" }
    }

    /// Adds an error by its description; private by default.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: true) { String(describing: error()) }
    }

    /// Adds the name of a type; public by default.
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { align.aligned(String(describing: value())) }
    }

    /// Adds a whole number; public by default.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure @escaping () -> T, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { align.aligned(format.text(number())) }
    }

    /// Adds a number; public by default.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { align.aligned(format.text(number())) }
    }

    /// Adds a number; public by default.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { align.aligned(format.text(Double(number()))) }
    }

    /// Adds a number; public by default.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> CGFloat, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { align.aligned(format.text(Double(number()))) }
    }

    /// Adds a Boolean value; public by default.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy, isPrivate: false) { format.text(boolean()) }
    }

    private mutating func append(_ privacy: OSLogPrivacy, isPrivate: Bool, _ render: @escaping () -> String) {
        segments.append(.value(render: render, privacy: privacy, isPrivateByDefault: isPrivate))
    }
}
