public import Foundation

/// A colour as red, green, blue and alpha. Nothing is drawn here. Archives are read by WatchLink's programs only: the
/// name of the class is “UIKit.UIColor” in them.
// Proof of `@unchecked Sendable`: its properties are immutable.
open class UIColor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private enum Key {
        static let red = "UIRed"
        static let green = "UIGreen"
        static let blue = "UIBlue"
        static let alpha = "UIAlpha"
    }

    private let red: CGFloat
    private let green: CGFloat
    private let blue: CGFloat
    private let alpha: CGFloat

    /// Creates a colour of its components, from 0 to 1. Components beyond are kept, as in Apple's extended range.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        // Opacity has no extended range.
        self.alpha = min(max(alpha, 0), 1)
    }

    /// Creates a shade of grey.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Reads a colour from an archive. Components that it lacks are 0.
    public required init?(coder: NSCoder) {
        red = coder.decodeDouble(forKey: Key.red)
        green = coder.decodeDouble(forKey: Key.green)
        blue = coder.decodeDouble(forKey: Key.blue)
        alpha = coder.decodeDouble(forKey: Key.alpha)
    }

    /// True: colours can be read from archives that are not trusted.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the colour to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(Double(red), forKey: Key.red)
        coder.encode(Double(green), forKey: Key.green)
        coder.encode(Double(blue), forKey: Key.blue)
        coder.encode(Double(alpha), forKey: Key.alpha)
    }

    /// Returns this colour, which cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the colour with another opacity.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Stores the components where the pointers say. Returns `true`: every colour here has them.
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    /// Returns `true` for a colour of the same components.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (red, green, blue, alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    /// The hash of the components.
    open override var hash: Int { [red, green, blue, alpha].hashValue }
}
