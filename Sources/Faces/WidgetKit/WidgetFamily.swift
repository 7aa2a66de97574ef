/// The sizes and places of widgets.
public enum WidgetFamily: Int, CaseIterable, Sendable {
    /// A small square.
    case systemSmall = 0
    /// A rectangle of the width of two squares.
    case systemMedium = 1
    /// A square of the size of four.
    case systemLarge = 2
    /// A rectangle of the size of eight squares.
    case systemExtraLarge = 3
    /// A circle on a watch's face or a lock screen.
    case accessoryCircular = 4
    /// A rectangle on a watch's face or a lock screen.
    case accessoryRectangular = 5
    /// A line of text on a watch's face or a lock screen.
    case accessoryInline = 6
    /// A corner of a watch's face.
    case accessoryCorner = 7
}
