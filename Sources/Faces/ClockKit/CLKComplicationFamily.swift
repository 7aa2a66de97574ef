/// The places for complications on the faces of a watch.
public enum CLKComplicationFamily: Int, CaseIterable, Sendable {
    /// A small square of the modular face.
    case modularSmall = 0
    /// The large area of the modular face.
    case modularLarge = 1
    /// A small area of the utilitarian face.
    case utilitarianSmall = 2
    /// The line at the bottom of the utilitarian face.
    case utilitarianLarge = 3
    /// A small circle.
    case circularSmall = 4
    /// A small line of the utilitarian face.
    case utilitarianSmallFlat = 6
    /// The extra large face.
    case extraLarge = 7
    /// A corner with graphics.
    case graphicCorner = 8
    /// A circle with graphics and a text along its bezel.
    case graphicBezel = 9
    /// A circle with graphics.
    case graphicCircular = 10
    /// A rectangle with graphics.
    case graphicRectangular = 11
    /// The extra large face with graphics.
    case graphicExtraLarge = 12
}
